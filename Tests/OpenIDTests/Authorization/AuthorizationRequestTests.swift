import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct AuthorizationRequestTests {
  // Three draws of 32 bytes each: all 1, all 2, all 3.
  private static let state = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"
  private static let nonce = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"
  private static let verifier = "AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM"
  // SHA-256 of the verifier's 43 characters, by another implementation.
  private static let challenge = "g77gcvvTQj90gfwWOCFjatjPtz-u8N0FgfOXnqDHMbk"

  @Test func `rules 1 to 3: a request is exactly these bytes`() async throws {
    let bench = FlowBench()
    let grant = try await bench.flow.authorize(BrowserSignIn())
    #expect(
      bench.presenter.urls.map(\.absoluteString) == [
        "https://id.example.com/authorize?response_type=code&client_id=app"
          + "&redirect_uri=com.example.app%3A%2Fcallback&scope=openid+profile+email+offline_access"
          + "&state=\(Self.state)&nonce=\(Self.nonce)&code_challenge=\(Self.challenge)&code_challenge_method=S256"
          + "&prompt=consent"
      ])
    #expect(grant.code.reveal() == "the-code")
    #expect(grant.transaction.verifier.reveal() == Self.verifier)
    #expect(grant.transaction.nonce == Self.nonce && grant.transaction.state == Self.state)
  }

  @Test func `everything that can be asked for is asked for, in a fixed order`() async throws {
    var bench = FlowBench()
    bench.client.scopes = ["openid"]
    bench.client.resources = ["https://api.example.com/", "urn:second api"]
    bench.client.audience = "https://aud.example.com"
    bench.client.parameters = ["ui_locales": "de en", "display": "page"]
    _ = try await bench.flow.authorize(
      BrowserSignIn(
        SignInHints(
          userName: "ada+test@example.com", prompt: ["login", "select_account"],
          requirements: AuthenticationRequirements(acrValues: ["gold", "silver"], maxAge: .milliseconds(90_500)))))
    #expect(
      bench.presenter.query.hasSuffix(
        "&code_challenge_method=S256&acr_values=gold+silver&max_age=90&login_hint=ada%2Btest%40example.com"
          + "&prompt=login+select_account"
          + "&resource=https%3A%2F%2Fapi.example.com%2F&resource=urn%3Asecond+api"
          + "&audience=https%3A%2F%2Faud.example.com&display=page&ui_locales=de+en"))
  }

  @Test func `without openid there is no nonce, and without scopes no scope`() async throws {
    var bench = FlowBench()
    bench.client.scopes = ["profile"]
    _ = try await bench.flow.authorize(BrowserSignIn())
    #expect(!bench.presenter.query.contains("nonce=") && bench.presenter.query.contains("&scope=profile&"))
    bench.client.scopes = []
    _ = try await bench.flow.authorize(BrowserSignIn())
    #expect(!bench.presenter.query.contains("scope="))
  }

  @Test func `rule 1: the challenge of RFC 7636 appendix B`() {
    let proof = CodeVerifier(Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
    #expect(proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func `rules 2 and 3: each sign-in draws its own state, nonce and verifier of 256 bits`() async throws {
    let bench = FlowBench()
    var values: Set<String> = []
    for _ in 0..<3 {
      let transaction = try await bench.flow.authorize(BrowserSignIn()).transaction
      values.formUnion([transaction.state, transaction.nonce, transaction.verifier.reveal()])
    }
    #expect(values.count == 9 && values.allSatisfy { $0.utf8.count == 43 && Base64URL.decode($0)?.count == 32 })
  }

  @Test(arguments: [
    ("https://id.example.com/authorize?tenant=a%20b", "https://id.example.com/authorize?tenant=a%20b&response_type="),
    ("https://id.example.com/authorize?", "https://id.example.com/authorize?response_type="),
    ("https://id.example.com?x=1&", "https://id.example.com?x=1&response_type="),
    ("http://127.0.0.1:8080/authorize", "http://127.0.0.1:8080/authorize?response_type="),
  ])
  func `an endpoint keeps the query it has`(endpoint: String, beginning: String) async throws {
    var bench = FlowBench()
    bench.metadata.endpoints[.authorization] = URL(string: endpoint)
    _ = try await bench.flow.authorize(BrowserSignIn())
    #expect(bench.presenter.urls.first?.absoluteString.hasPrefix(beginning) == true)
  }

  @Test(arguments: [
    (nil, AuthenticationError.endpointMissing), ("http://id.example.com/authorize", .insecureConnection),
    ("file:///authorize", .insecureConnection), ("https://id.example.com/authorize#here", .unexpectedResponse),
  ])
  func `rule 14: an endpoint that is not safe to open is not opened`(
    endpoint: String?, code: AuthenticationError
  ) async {
    var bench = FlowBench()
    bench.metadata.endpoints[.authorization] = endpoint.flatMap { URL(string: $0) }
    #expect(await bench.failure() == code)
    #expect(bench.presenter.urls.isEmpty)
  }

  @Test(arguments: [[], ["plain"], ["s256"]])
  func `rule 1: an issuer that advertises no S256 is not used, and nothing weaker is tried`(methods: [String]) async {
    var bench = FlowBench()
    bench.metadata.codeChallengeMethods = methods
    #expect(await bench.failure()?.reason == .codeChallenge)
    #expect(bench.presenter.urls.isEmpty)
  }

  @Test func `rule 4: an issuer that advertises nothing is sent PKCE, state and nonce all the same`() async throws {
    var bench = FlowBench()
    bench.metadata.codeChallengeMethods = nil
    _ = try await bench.flow.authorize(BrowserSignIn())
    for name in ["code_challenge_method=S256", "state=", "nonce="] { #expect(bench.presenter.query.contains(name)) }
  }

  @Test func `tokens to be bound name their key, which the transaction keeps`() async throws {
    var bench = FlowBench()
    bench.client.bindsTokens = true
    let grant = try await bench.flow.authorize(BrowserSignIn())
    let key = try ProofOfPossessionKey(#require(grant.transaction.proofKey))
    #expect(bench.presenter.query.contains("&dpop_jkt=\(key.thumbprint)"))
  }

  @Test func `without a presenter there is no browser sign-in`() async {
    var bench = FlowBench()
    bench.client.presenter = nil
    #expect(await bench.failure() == .unsupportedMethod)
  }
}
