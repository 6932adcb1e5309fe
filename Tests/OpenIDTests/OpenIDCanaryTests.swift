import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationBrowser
@testable import AuthenticationOpenID

/// Every string that is made of a value of this target, searched for secrets that were put into it: rule 37.
@Suite struct OpenIDCanaryTests {
  private static let canary = "canary-7f3a"
  private static let secret = Secret(canary)
  private static let callback = URL(
    string: "https://user:\(canary)@app.example.com/callback?code=\(canary)&state=\(canary)#\(canary)")!

  private static var client: OpenIDClient {
    var client = OpenIDClient(issuer: "https://id.example.com", clientID: "app")
    client.authentication = .secretBasic(secret)
    client.redirect = .address("com.example.app:/callback")
    client.presenter = ScriptedPresenter()
    return client
  }

  private static let environment = AuthProviderConfiguration.Environment(
    httpClient: ScriptedHTTPClient(), clock: ManualClock(), storage: InMemoryStorage())

  private static let transaction = AuthorizationTransaction(
    state: canary, nonce: canary, verifier: secret, issuer: "https://id.example.com", clientID: "app",
    redirectURI: "com.example.app:/callback", startedAt: TokenForge.now, scopes: ["openid"],
    requirements: AuthenticationRequirements(), proofKey: nil)

  private static func session(_ raw: Secret) throws -> AuthSession {
    let access = try AccessToken(secret, receivedAt: TokenForge.now, lifetime: .seconds(60))
    let tokens = SessionTokens(access: access, refresh: secret, identity: raw, proofKey: secret)
    return AuthSession(user: User(id: "ada"), tokens: tokens)
  }

  private static func credentials() -> [any Sendable] {
    let prompt = ExternalInteraction(
      .anotherDevice, address: "https://id.example.com/device", userCode: "ABCD", lifetime: .seconds(60))
    return [
      BrowserReturn(url: callback), DeviceSignIn { _ in }, client, client.authentication,
      ClientAuthentication.secretPost(secret),
      DeviceAuthorization(code: secret, prompt: prompt, lifetime: .seconds(60), interval: .seconds(5)),
    ]
  }

  private static func requests() throws -> [any Sendable] {
    let form = FormBody(["code": canary, "code_verifier": canary, "refresh_token": canary])
    let url = URL(string: "https://id.example.com/token")!
    let exchange = FormBody(
      exchanging: secret, type: .accessToken, for: nil, audiences: [], resources: [], scopes: [])
    let answer = """
      {"access_token":"\(canary)","issued_token_type":"urn:x","token_type":"Bearer","refresh_token":"\(canary)"}
      """
    return [
      form, try HTTPRequest(posting: form, to: url, by: client, in: environment), exchange,
      try TokenExchangeResponseMapper.map(json(200, answer), askedFor: [], receivedAt: TokenForge.now),
      AuthorizationRequest(client: client, transaction: transaction, userNameHint: nil),
      try AuthorizationRequest(client: client, transaction: transaction, userNameHint: nil).parameters(clientID: nil),
      TokenEndpoint(url: url, client: client, environment: environment, nonces: DPoPNonces()),
      transaction, AuthorizationGrant(code: secret, transaction: transaction),
      Result<AuthorizationGrant, AuthenticationError>.success(.init(code: secret, transaction: transaction)),
      CodeVerifier(secret), try AuthorizationResponse(callback),
    ]
  }

  private static func tokens() throws -> [any Sendable] {
    let forge = TokenForge()
    let raw = Secret(forge.token(["nonce": "\"\(canary)\"", "at_hash": "\"\(canary)\""]))
    let unverified = try UnverifiedIDToken(raw)
    let object = try JSONObject(unverified.jws.payload)
    var expectations = IDTokenExpectations(
      issuer: "https://id.example.com", clientID: "app", nonce: canary, accessToken: secret, code: secret,
      now: TokenForge.now)
    expectations.continuing = try IDTokenClaims(stored: raw)
    let provider = try OpenIDConnectProvider(client, in: environment)
    let sent = Secret(forge.token(["nonce": "\"\(canary)\""]))
    let verified = try UnverifiedIDToken(sent).validated(by: forge.keys, expecting: forge.expectations)
    return [
      raw, unverified, unverified.jws, object, try IDTokenClaims(object), try IDTokenClaims(stored: raw), expectations,
      verified, provider, Refresh(provider: provider, session: try session(raw)),
    ]
  }

  private func texts(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(describing: value), String(reflecting: value), dumped, mirrored(value)]
  }

  private func mirrored(_ value: Any, depth: Int = 0) -> String {
    guard depth < 8 else { return "" }
    return Mirror(reflecting: value).children.map {
      "\($0.label ?? "") \($0.value) " + mirrored($0.value, depth: depth + 1)
    }.joined()
  }

  @Test func `no description, reflection, mirror or dump of any value holds a secret`() throws {
    for value in try Self.credentials() + Self.requests() + Self.tokens() {
      for text in texts(of: value) {
        #expect(!text.contains(Self.canary), "\(type(of: value)) shows a secret")
      }
    }
  }

  @Test func `a proof key shows its thumbprint, and nothing of its private key`() {
    let key = ProofOfPossessionKey()
    let secret = key.stored.reveal()
    for text in texts(of: key) + texts(of: key.stored) { #expect(!text.contains(secret)) }
    #expect("\(key)".contains(key.thumbprint))
  }

  @Test func `a redirect shows where it came to`() {
    #expect(!"\(BrowserReturn(url: Self.callback))".contains("canary"))
  }

  #if os(macOS) || os(Linux)
  @Test func `a listener's verdict on a request shows nothing of the request`() {
    for text in texts(of: CallbackExpectation.Verdict.callback(Self.callback, .received)) {
      #expect(!text.contains(Self.canary))
    }
  }
  #endif

  // failure row 37
  @Test(arguments: [200, 302, 400, 401, 403, 404, 429, 500])
  func `no error about an issuer's answer quotes it`(status: Int) {
    let body = """
      {"error":"invalid_grant","error_description":"\(Self.canary)","error_uri":"https://id.example.com/\(Self.canary)"}
      """
    for body in [body, "{\"error\":\"a sentence with \(Self.canary)\"}", "<p>\(Self.canary)</p>"] {
      let headers: HTTPHeaders = ["Location": "https://evil.example/\(Self.canary)", "X-Trace": Self.canary]
      let error = OAuthErrorResponseMapper.map(json(status, body, headers), now: TokenForge.now)
      for text in texts(of: error) + [error.localizedDescription, error.providerCode ?? ""] {
        #expect(!text.contains(Self.canary))
      }
    }
  }
}
