import AuthenticationData
import AuthenticationDomain
import AuthenticationDomainTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

/// RFC 6749 §2.3.1, byte for byte.
@Suite struct ClientAuthenticationTests {
  private let url = URL(string: "https://id.example.com/token")!

  private let clock = ManualClock()

  private func wire(
    _ authentication: ClientAuthentication, clientID: String = "app", metadata: IssuerMetadata? = nil
  ) throws(AuthenticationError) -> [String] {
    var client = OpenIDClient(issuer: "https://id.example.com", clientID: clientID)
    client.authentication = authentication
    if let metadata { client = client.resolved(by: metadata) }
    let environment = AuthProviderConfiguration.Environment(httpClient: try SystemHTTPClient.shared, clock: clock)
    return try HTTPRequest(posting: FormBody(["grant_type": "x"]), to: url, by: client, in: environment).wire
  }

  @Test func `a public client needs no secret, and names itself in the body, rule 8`() throws {
    #expect(try wire(.none) == ["POST", url.absoluteString] + Form.headers + ["grant_type=x&client_id=app"])
    #expect(OpenIDClient(issuer: "", clientID: "").authentication == .none)
  }

  @Test func `a secret goes into the body where that is asked for`() throws {
    #expect(
      try wire(.secretPost(Secret("s3c+ret &"))).last == "grant_type=x&client_id=app&client_secret=s3c%2Bret+%26")
  }

  // RFC 6749 §2.3.1 and appendix B: form-encoded before base64.
  @Test(arguments: [
    ("s6BhdRkqt3", "gX1fBat3bV", "s6BhdRkqt3:gX1fBat3bV"), ("a:b", "c:d", "a%3Ab:c%3Ad"),
    ("app 1", "100%+ä", "app+1:100%25%2B%C3%A4"), ("*-._", "~", "*-._:%7E"),
  ])
  func `a secret in a header is form-encoded first, and the body then names no client`(
    id: String, secret: String, pair: String
  ) throws {
    #expect(
      try wire(.secretBasic(Secret(secret)), clientID: id)
        == ["POST", url.absoluteString] + Form.headers
        + ["Authorization: Basic \(Data(pair.utf8).base64EncodedString())", "grant_type=x"])
  }

  private func key(_ name: String = "ES256") throws -> SigningKey {
    let members = try #require(JOSEFixture.keys.jwk[name])
    let json = try JSONEncoder().encode(members)
    return try SigningKey(jwk: Secret(String(decoding: json, as: UTF8.self)))
  }

  private func form(_ wire: [String]) throws -> [String: String] {
    let body = try #require(wire.last)
    let fields = try #require(FormBody(decoding: Array(body.utf8))).fields
    return Dictionary(fields.map { ($0.name, $0.value) }) { $1 }
  }

  @Test(arguments: ["ES256", "RS256", "EdDSA"])
  func `an assertion names the client twice and the issuer once, and lasts a minute`(name: String) throws {
    let wire = try wire(.privateKeyJWT(try key(name), keyID: "2026"))
    #expect(wire.dropLast() == ["POST", url.absoluteString] + Form.headers)
    let form = try form(wire)
    #expect(form.keys.sorted() == ["client_assertion", "client_assertion_type", "client_id", "grant_type"])
    #expect(form["client_id"] == "app")
    #expect(form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
    let token = try CompactJWS(try #require(form["client_assertion"]))
    #expect(token.header.type == "client-authentication+jwt" && token.header.keyID == "2026")
    #expect(token.header.algorithm?.rawValue == name)
    let claims = try #require(JSONMembers(json: Data(token.payload)))
    #expect(claims.values.keys.sorted() == ["aud", "exp", "iat", "iss", "jti", "sub"])
    #expect(claims["iss"] == "app" && claims["sub"] == "app")
    #expect(claims.values["aud"] == "https://id.example.com")
    #expect(claims.number("iat") == clock.now.timeIntervalSince1970.rounded(.down))
    #expect(claims.number("exp") == claims.number("iat").map { $0 + 60 })
    #expect(claims["jti"]?.utf8.count == 22)
  }

  @Test func `each request has an assertion of its own`() throws {
    let authentication = ClientAuthentication.privateKeyJWT(try key("EdDSA"))
    let ids = try (0..<3).map { _ in
      let token = try CompactJWS(try #require(form(wire(authentication))["client_assertion"]))
      #expect(token.header.keyID == nil)
      return JSONMembers(json: Data(token.payload))?["jti"]
    }
    #expect(Set(ids).count == 3)
  }

  @Test func `the token endpoint is the audience only where that is asked for`() throws {
    let authentication = ClientAuthentication.privateKeyJWT(try key(), audience: .tokenEndpoint)
    #expect(throws: AuthenticationError(.endpointMissing, "")) { try wire(authentication) }
    var metadata = IssuerMetadata()
    metadata.endpoints[.token] = url
    let token = try CompactJWS(try #require(form(wire(authentication, metadata: metadata))["client_assertion"]))
    #expect(JSONMembers(json: Data(token.payload))?.values["aud"] == .string(url.absoluteString))
  }

  @Test func `a key whose algorithm the issuer does not list signs nothing`() throws {
    var metadata = IssuerMetadata()
    metadata.clientAssertionAlgorithms = ["RS256"]
    #expect(throws: AuthenticationError(.clientRejected, "")) {
      try wire(.privateKeyJWT(try key()), metadata: metadata)
    }
    #expect(try form(wire(.privateKeyJWT(try key("RS256")), metadata: metadata))["client_assertion"] != nil)
  }

  @Test func `no text shows the secret`() {
    for authentication in [ClientAuthentication.secretBasic(Secret("canary")), .secretPost(Secret("canary"))] {
      var text = "\(authentication) \(String(reflecting: authentication))"
      dump(authentication, to: &text)
      #expect(!text.contains("canary"))
    }
  }
}
