import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationVerifier

/// RFC 9068 §4, RFC 6750 §3, RFC 9728.
@Suite struct AccessTokenVerifierTests {
  @Test func `the claims of a token reach the server`() async throws {
    let bench = try await VerifierBench()
    let access = try await bench.verifier().verify(
      method: "GET", path: "/mcp", headers: ["authorization": "bearer \(bench.token(["roles": #"["admin"]"#]))"],
      requiring: ["notes:write"])
    #expect(access.subject == "ada" && access.clientID == "app" && access.scopes == ["notes:read", "notes:write"])
    #expect(access.expiresAt == bench.clock.now.addingTimeInterval(300))
    #expect(access.claims["roles"] == ["admin"] && access.responseHeaders.fields.isEmpty)
  }

  @Test(
    arguments: [
      "iss": nil, "sub": nil, "aud": nil, "exp": nil, "iat": nil, "jti": nil, "client_id": nil,
    ] as KeyValuePairs<String, String?>)
  func `a token lacks no claim that RFC 9068 requires`(name: String, value: String?) async throws {
    let bench = try await VerifierBench()
    for value in [nil, "null", "{}"] as [String?] {
      #expect(try await bench.refusal(of: bench.token([name: value]))?.reason == .invalidToken, "\(value ?? "none")")
    }
    if ["sub", "client_id", "jti"].contains(name) {
      for value in ["\"\"", "1", "[\"x\"]"] {
        #expect(try await bench.refusal(of: bench.token([name: value]))?.reason == .invalidToken)
      }
    }
  }

  @Test func `the issuer is compared in every byte`() async throws {
    let bench = try await VerifierBench()
    for other in [bench.issuer + "/", bench.issuer.uppercased(), "https://id.example.com", ""] {
      #expect(try await bench.refusal(of: bench.token(["iss": "\"\(other)\""]))?.reason == .invalidToken, "\(other)")
    }
  }

  @Test func `the audience contains this resource`() async throws {
    let bench = try await VerifierBench()
    let own = "\"\(VerifierBench.resource)\""
    for audience in [own, "[\(own)]", "[\"https://other.example.com\",\(own)]"] {
      #expect(try await bench.refusal(of: bench.token(["aud": audience])) == nil, "\(audience)")
    }
    for audience in [
      "\"https://other.example.com\"", "[]", "\"\(VerifierBench.resource)/\"", "\"https://notes.example.com\"",
      "[\(own),1]", "{\"aud\":\(own)}", "\"HTTPS://notes.example.com/mcp\"",
    ] {
      #expect(try await bench.refusal(of: bench.token(["aud": audience]))?.reason == .invalidToken, "\(audience)")
    }
    let named = try bench.verifier(audience: "api://notes")
    #expect(try await bench.refusal(of: bench.token(["aud": #""api://notes""#]), by: named) == nil)
    #expect(try await bench.refusal(of: bench.token(), by: named)?.reason == .invalidToken)
  }

  @Test func `times count with the leeway and no longer`() async throws {
    let bench = try await VerifierBench()
    let now = Int(bench.clock.now.timeIntervalSince1970)
    for (claim, good, bad) in [("exp", now - 59, now - 60), ("iat", now + 60, now + 61), ("nbf", now + 60, now + 61)] {
      #expect(try await bench.refusal(of: bench.token([claim: "\(good)"])) == nil, "\(claim)")
      #expect(try await bench.refusal(of: bench.token([claim: "\(bad)"]))?.reason == .invalidToken, "\(claim)")
    }
    let strict = try bench.verifier(leeway: .zero)
    #expect(try await bench.refusal(of: bench.token(["exp": "\(now)"]), by: strict)?.reason == .invalidToken)
    for value in ["true", "\"soon\"", "[]", "\"\(now)\"", "1e308", "253402300800"] {
      for claim in ["exp", "nbf", "iat"] {
        #expect(try await bench.refusal(of: bench.token([claim: value]))?.reason == .invalidToken, "\(claim) \(value)")
      }
    }
  }

  @Test func `only an access token's type counts, in any case`() async throws {
    let bench = try await VerifierBench()
    for type in ["at+jwt", "AT+JWT", "application/at+jwt", "Application/at+JWT"] {
      #expect(try await bench.refusal(of: bench.token(header: ["typ": "\"\(type)\""])) == nil, "\(type)")
    }
    for type in [#""JWT""#, #""dpop+jwt""#, #""logout+jwt""#, #""""#, "null", #""at+jwt ""#, "1", nil] {
      #expect(try await bench.refusal(of: bench.token(header: ["typ": type]))?.reason == .invalidToken, "\(type ?? "")")
    }
  }

  @Test func `an issuer that sends JWT as the type is accepted by name, and its ID tokens are not`() async throws {
    let bench = try await VerifierBench()
    let plain = try bench.verifier(profile: .plainJWT)
    func refusal(_ changes: [String: String?], type: String? = #""JWT""#) async throws -> AccessTokenRefusal.Reason? {
      try await bench.refusal(of: bench.token(changes, header: ["typ": type]), by: plain)?.reason
    }
    #expect(try await refusal([:]) == nil)
    #expect(try await refusal([:], type: nil) == nil)
    #expect(try await refusal([:], type: #""at+jwt""#) == nil)
    #expect(try await refusal([:], type: #""dpop+jwt""#) == .invalidToken)
    #expect(try await refusal(["jti": nil, "iat": nil, "client_id": nil, "sub": nil]) == nil)
    for claim in ["nonce", "at_hash", "c_hash", "s_hash"] {
      #expect(try await refusal([claim: #""x""#]) == .invalidToken, "\(claim)")
    }
    let audience = "\"\(VerifierBench.resource)\""
    #expect(try await refusal(["client_id": audience]) == .invalidToken)
    #expect(try await refusal(["client_id": nil, "azp": audience]) == .invalidToken)
    #expect(try await refusal(["client_id": nil, "azp": #""app""#, "aud": "[\(audience),\"app\"]"]) == .invalidToken)
    for name in ["iss", "exp", "aud"] { #expect(try await refusal([name: nil]) == .invalidToken, "\(name)") }
  }

  @Test func `scopes are read as each profile has them`() async throws {
    let bench = try await VerifierBench()
    func scopes(_ changes: [String: String?], _ profile: AccessTokenProfile) async throws -> [String] {
      let token = bench.token(changes, header: ["typ": profile == .plainJWT ? #""JWT""# : #""at+jwt""#])
      return try await bench.verifier(profile: profile).verify(
        method: "GET", path: "/", headers: ["Authorization": "Bearer \(token)"]
      ).scopes
    }
    #expect(try await scopes(["scope": #""a b""#], .rfc9068) == ["a", "b"])
    #expect(try await scopes(["scope": nil, "scp": #""a""#], .rfc9068) == [])
    #expect(try await bench.refusal(of: bench.token(["scope": #"["a"]"#]))?.reason == .invalidToken)
    #expect(try await scopes(["scope": nil, "scp": #""a b""#], .plainJWT) == ["a", "b"])
    #expect(try await scopes(["scope": nil, "scp": #"["a","b"]"#], .plainJWT) == ["a", "b"])
    #expect(try await scopes(["scope": #"["a","b c"]"#], .plainJWT) == ["a", "b", "c"])
  }

  // MARK: The server's responses

  static let metadata = #"resource_metadata="https://notes.example.com/.well-known/oauth-protected-resource/mcp""#

  @Test func `a request without credentials gets a challenge that names no error`() async throws {
    let bench = try await VerifierBench()
    for headers in [[:], ["Authorization": "Basic YTpi"], ["Authorization": ""]] as [HTTPHeaders] {
      let refusal = try #require(await bench.verifier().refusal(headers, requiring: ["notes:read"]))
      #expect(refusal.reason == .noCredentials && refusal.status == 401)
      #expect(refusal.challenges.count == 2)
      #expect(refusal.challenges.first == "Bearer scope=\"notes:read\", \(Self.metadata)")
      #expect(refusal.challenges.last?.hasPrefix("DPoP scope=\"notes:read\", \(Self.metadata), algs=\"ES256 ") == true)
    }
    #expect(bench.loopback.allRequests.isEmpty)
  }

  @Test func `a token in the query or twice is none`() async throws {
    let bench = try await VerifierBench()
    let token = bench.token()
    let verifier = try bench.verifier()
    #expect(await verifier.refusal([:], path: "/mcp?access_token=\(token)")?.reason == .noCredentials)
    let twice: HTTPHeaders = ["Authorization": "Bearer \(token)", "authorization": "Bearer \(token)"]
    for headers in [
      twice, ["Authorization": "Bearer"], ["Authorization": "Bearer "], ["Authorization": "Bearer \(token), Bearer x"],
      ["Authorization": "Bearer \(token) x"], ["Authorization": "Bearer =="], ["Authorization": "DPoP \"x\""],
    ] as [HTTPHeaders] {
      let refusal = try #require(await verifier.refusal(headers))
      #expect(refusal.reason == .invalidRequest && refusal.status == 400)
      #expect(refusal.challenges.count == 1 && refusal.challenges[0].contains(#"error="invalid_request""#))
    }
  }

  @Test func `a token that is refused gets 401, and one without a scope 403 with it`() async throws {
    let bench = try await VerifierBench()
    let invalid = try #require(try await bench.refusal(of: "a.b.c"))
    #expect(invalid.status == 401 && invalid.challenges[0] == "Bearer error=\"invalid_token\", \(Self.metadata)")
    let scope = try #require(try await bench.refusal(of: bench.token(), requiring: ["notes:read", "notes:admin"]))
    #expect(scope.reason == .insufficientScope && scope.status == 403)
    #expect(
      scope.challenges == [
        "Bearer error=\"insufficient_scope\", scope=\"notes:read notes:admin\", \(Self.metadata)"
      ])
  }

  @Test func `an issuer that cannot be asked is no fault of the client's`() async throws {
    let bench = try await VerifierBench()
    bench.loopback.set(.usual(.status(503)), on: .keys)
    let refusal = try #require(try await bench.refusal(of: bench.token()))
    #expect(refusal.reason == .unavailable && refusal.status == 503 && refusal.challenges.isEmpty)
  }

  @Test func `metadata of another issuer is no fault of the client's`() async throws {
    let bench = try await VerifierBench()
    bench.loopback.quirks.metadata = ["issuer": "https://evil.example.com"]
    #expect(try await bench.refusal(of: bench.token())?.reason == .unavailable)
  }

  @Test func `the metadata document has the members that a client needs`() async throws {
    let bench = try await VerifierBench()
    let verifier = try bench.verifier(proofs: AccessTokenProofs(isRequired: true))
    #expect(
      verifier.metadataURL.absoluteString == "https://notes.example.com/.well-known/oauth-protected-resource/mcp")
    let json = verifier.metadata(scopes: ["notes:read"], adding: ["resource_name": "Notes"])
    let document = try JSONDecoder().decode([String: JSONValue].self, from: json)
    #expect(document["resource"] == "https://notes.example.com/mcp")
    #expect(document["authorization_servers"] == [.string(bench.issuer)])
    #expect(document["bearer_methods_supported"] == ["header"] && document["scopes_supported"] == ["notes:read"])
    #expect(document["dpop_bound_access_tokens_required"] == true && document["resource_name"] == "Notes")
  }

  @Test(arguments: [
    ("https://a.example", "https://a.example/.well-known/oauth-protected-resource"),
    ("https://a.example/", "https://a.example/.well-known/oauth-protected-resource"),
    ("https://a.example:8443/x/y", "https://a.example:8443/.well-known/oauth-protected-resource/x/y"),
    ("https://a.example/x?tenant=1", "https://a.example/.well-known/oauth-protected-resource/x?tenant=1"),
  ])
  func `the metadata is between host and path`(resource: String, metadata: String) throws {
    let verifier = try AccessTokenVerifier(resource: resource, issuer: "https://id.example.com")
    #expect(verifier.metadataURL.absoluteString == metadata)
  }

  @Test func `an invalid configuration is refused when the verifier is made`() {
    func code(_ make: () throws(AuthenticationError) -> AccessTokenVerifier) -> AuthenticationError? {
      do throws(AuthenticationError) {
        _ = try make()
        return nil
      } catch {
        return error
      }
    }
    let (resource, issuer) = ("https://notes.example.com", "https://id.example.com")
    for bad in ["http://notes.example.com", "notes", "https://notes.example.com#x", "api://notes", ""] {
      #expect(
        code { () throws(AuthenticationError) in try AccessTokenVerifier(resource: bad, issuer: issuer) }
          == .invalidConfiguration)
    }
    for bad in ["http://id.example.com", "", "id"] {
      #expect(
        code { () throws(AuthenticationError) in try AccessTokenVerifier(resource: resource, issuer: bad) }
          == .invalidConfiguration)
    }
    for leeway in [Duration.seconds(-1), .seconds(301)] {
      #expect(
        code { () throws(AuthenticationError) in
          try AccessTokenVerifier(resource: resource, issuer: issuer, leeway: leeway)
        } == .invalidConfiguration)
    }
    #expect(
      code { () throws(AuthenticationError) in
        try AccessTokenVerifier(
          resource: resource, issuer: issuer, proofs: AccessTokenProofs(nonceSecret: Secret("short")))
      } == .invalidConfiguration)
  }
}
