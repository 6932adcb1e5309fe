import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Crypto
import Foundation

@testable import AuthenticationOpenID
@testable import AuthenticationVerifier

/// A resource server, an issuer over real HTTP whose published key is the forge's, and the forge.
struct VerifierBench {
  static let resource = "https://notes.example.com/mcp"

  let loopback: LoopbackOpenIDIssuer
  let clock = ManualClock()
  let forge = AccessTokenForge()
  let issuer: String

  init(_ change: (inout LoopbackOpenIDIssuer.Options) -> Void = { _ in }) async throws {
    var options = LoopbackOpenIDIssuer.Options()
    change(&options)
    loopback = LoopbackOpenIDIssuer(options, clock: clock)
    issuer = try await loopback.start()
    publish([forge.jwk])
  }

  /// Makes these the issuer's keys; each member is JSON text.
  func publish(_ keys: [[String: String]]) {
    loopback.quirks.keySet = ["keys": .array(keys.map { .object($0.mapValues { .string($0) }) })]
  }

  func verifier(
    profile: AccessTokenProfile = .rfc9068, audience: String? = nil, baseURL: String? = nil,
    introspection: AccessTokenIntrospection? = nil, proofs: AccessTokenProofs = AccessTokenProofs(),
    leeway: Duration = .seconds(60), algorithms: Set<SignatureAlgorithm> = SignatureAlgorithm.all,
    endpoints: [OpenIDClient.Endpoint: String] = [:]
  ) throws -> AccessTokenVerifier {
    try AccessTokenVerifier(
      resource: Self.resource, issuer: issuer, audience: audience, baseURL: baseURL, profile: profile,
      algorithms: algorithms, leeway: leeway, introspection: introspection, proofs: proofs, endpoints: endpoints,
      httpClient: try SystemHTTPClient(), clock: clock)
  }

  /// A token with the good claims but for these changes, as JSON text; nil takes one away.
  func token(
    _ changes: [String: String?] = [:], header: [String: String?] = [:], by forge: AccessTokenForge? = nil
  ) -> String {
    let now = Int(clock.now.timeIntervalSince1970)
    var claims = [
      "iss": "\"\(issuer)\"", "aud": "\"\(Self.resource)\"", "sub": #""ada""#, "client_id": #""app""#,
      "iat": "\(now - 10)", "exp": "\(now + 300)", "jti": #""1""#, "scope": #""notes:read notes:write""#,
    ]
    for (name, value) in changes { claims[name] = value }
    return (forge ?? self.forge).token(payload: AccessTokenForge.json(claims), header: header)
  }

  /// How a token is refused; nil if it is accepted.
  func refusal(
    of token: String, by verifier: AccessTokenVerifier? = nil, requiring scopes: [String] = []
  ) async throws -> AccessTokenRefusal? {
    await (try verifier ?? self.verifier()).refusal(bearing: token, requiring: scopes)
  }

  var keyFetches: Int { loopback.requests(on: .keys).count }
}

extension AccessTokenVerifier {
  func refusal(bearing token: String, requiring scopes: [String] = []) async -> AccessTokenRefusal? {
    await refusal(["Authorization": "Bearer \(token)"], requiring: scopes)
  }

  func refusal(
    _ headers: HTTPHeaders, method: String = "GET", path: String = "/mcp", requiring scopes: [String] = []
  ) async -> AccessTokenRefusal? {
    do throws(AccessTokenRefusal) {
      _ = try await verify(method: method, path: path, headers: headers, requiring: scopes)
      return nil
    } catch {
      return error
    }
  }
}

extension AccessTokenRefusal {
  var challenges: [String] { headers.values(of: "WWW-Authenticate") }
}

/// One ES256 key that signs any claims.
struct AccessTokenForge {
  let key = P256.Signing.PrivateKey()

  /// Members of the key.
  var jwk: [String: String] {
    let point = key.publicKey.rawRepresentation
    return [
      "kty": "EC", "crv": "P-256", "kid": "k", "x": Base64URL.encode(point.prefix(32)),
      "y": Base64URL.encode(point.suffix(32)),
    ]
  }

  var publicKey: [String: String] { jwk.filter { $0.key != "kid" } }
  var thumbprint: String { Base64URL.thumbprint(of: publicKey) }

  static func json(_ members: [String: String]) -> String {
    "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
  }

  static func quoted(_ members: [String: String]) -> String { json(members.mapValues { "\"\($0)\"" }) }

  func token(payload: String, header: [String: String?] = [:]) -> String {
    var members = ["alg": #""ES256""#, "kid": #""k""#, "typ": #""at+jwt""#]
    for (name, value) in header { members[name] = value }
    return token(payload: payload, headerText: Self.json(members))
  }

  func token(payload: String, headerText: String) -> String {
    let signed = "\(Base64URL.encode(headerText.utf8)).\(Base64URL.encode(payload.utf8))"
    let signature = try? key.signature(for: Data(signed.utf8)).rawRepresentation
    return "\(signed).\(Base64URL.encode(signature ?? Data()))"
  }
}

extension LoopbackOpenIDIssuer {
  /// Members of the token response to a sign-in of Ada's, in plain requests.
  func tokens(secret: String) async throws -> [String: String] {
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let redirect = "http://127.0.0.1:5000/callback"
    var page = URLComponents(url: url(.authorization), resolvingAgainstBaseURL: false)
    page?.queryItems = [
      "client_id": "app", "redirect_uri": redirect, "response_type": "code", "state": "s", "nonce": "n",
      "scope": "openid offline_access", "code_challenge": Base64URL.sha256(of: verifier),
      "code_challenge_method": "S256",
    ].map { URLQueryItem(name: $0.key, value: $0.value) }
    guard let page = page?.url, let returned = try await visit(page) else { return [:] }
    let items = URLComponents(url: returned, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let form = FormBody([
      "grant_type": "authorization_code", "code": items.first { $0.name == "code" }?.value, "redirect_uri": redirect,
      "code_verifier": verifier,
    ])
    var request = HTTPRequest(posting: form, to: url(.token))
    request.headers["Authorization"] = "Basic " + Data("app:\(secret)".utf8).base64EncodedString()
    let response = try await SystemHTTPClient().send(request)
    return (response.members?.values ?? [:]).compactMapValues(\.text)
  }
}
