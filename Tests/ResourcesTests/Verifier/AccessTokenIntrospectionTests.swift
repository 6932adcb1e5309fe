import AuthenticationData
import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationVerifier

/// RFC 7662, at a loopback issuer whose access tokens are opaque.
@Suite struct AccessTokenIntrospectionTests {
  static let introspection = AccessTokenIntrospection(clientID: "app", authentication: .secret(Secret("s3cret")))

  func bench() async throws -> VerifierBench { try await VerifierBench { $0.clientSecret = "s3cret" } }

  func token(_ bench: VerifierBench) async throws -> (access: String, refresh: String) {
    let tokens = try await bench.loopback.tokens(secret: "s3cret")
    return (try #require(tokens["access_token"]), try #require(tokens["refresh_token"]))
  }

  func refusal(_ bench: VerifierBench, _ changes: [String: JSON]) async throws -> AccessTokenRefusal? {
    bench.loopback.quirks.introspection = changes
    return try await bench.refusal(of: token(bench).access, by: bench.verifier(introspection: Self.introspection))
  }

  @Test func `an opaque token is asked about, with the server's own credentials, and once in a minute`() async throws {
    let bench = try await bench()
    let verifier = try bench.verifier(introspection: Self.introspection)
    let token = try await token(bench).access
    for _ in 0..<3 {
      let access = try await verifier.verify(method: "GET", path: "/", headers: ["Authorization": "Bearer \(token)"])
      #expect(access.subject == LoopbackOpenIDIssuer.Account.ada.subject && access.clientID == "app")
      #expect(access.expiresAt == bench.clock.now.addingTimeInterval(300) && access.scopes.contains("openid"))
    }
    let request = try #require(bench.loopback.requests(on: .introspection).first)
    #expect(request.form["token"] == token && request.form["token_type_hint"] == "access_token")
    #expect(request.header("Authorization") == "Basic " + Data("app:s3cret".utf8).base64EncodedString())
    #expect(bench.loopback.requests(on: .introspection).count == 1)
    bench.clock.advance(by: .seconds(60))
    #expect(try await bench.refusal(of: token, by: verifier) == nil)
    #expect(bench.loopback.requests(on: .introspection).count == 2)
  }

  @Test func `a response is used no longer than the token is valid`() async throws {
    let bench = try await bench()
    let long = AccessTokenIntrospection(
      clientID: "app", authentication: .secret(Secret("s3cret")), cachedFor: .seconds(3_600))
    let verifier = try bench.verifier(introspection: long, leeway: .zero)
    let token = try await token(bench).access
    #expect(try await bench.refusal(of: token, by: verifier) == nil)
    bench.clock.advance(by: .seconds(299))
    #expect(try await bench.refusal(of: token, by: verifier) == nil)
    #expect(bench.loopback.requests(on: .introspection).count == 1)
    bench.clock.advance(by: .seconds(1))
    #expect(try await bench.refusal(of: token, by: verifier)?.reason == .invalidToken)
    #expect(bench.loopback.requests(on: .introspection).count == 2)
  }

  @Test func `a token that is unknown, revoked or a refresh token is refused`() async throws {
    let bench = try await bench()
    let verifier = try bench.verifier(introspection: Self.introspection)
    let tokens = try await token(bench)
    #expect(try await bench.refusal(of: "unknown", by: verifier)?.reason == .invalidToken)
    #expect(try await bench.refusal(of: tokens.refresh, by: verifier)?.reason == .invalidToken)
    bench.loopback.revokeAllAccessTokens()
    #expect(try await bench.refusal(of: tokens.access, by: verifier)?.reason == .invalidToken)
  }

  @Test func `issuer, audience, times and type of a response count where it has them`() async throws {
    let bench = try await bench()
    #expect(try await refusal(bench, [:]) == nil)
    #expect(try await refusal(bench, ["iss": .string(bench.issuer), "aud": .string(VerifierBench.resource)]) == nil)
    for changes in [
      ["iss": "https://evil.example"], ["iss": 1], ["aud": "https://other.example"], ["aud": []], ["exp": 1],
      ["exp": .absent], ["nbf": 99_999_999_999], ["token_type": "refresh_token"], ["token_type": 1],
      ["active": false], ["cnf": [:]], ["token_type": .absent], ["token_type": .null], ["token_type": "DPoP"],
      ["token_use": "refresh_token"], ["token_use": "id"], ["token_use": 1], ["typ": "Refresh"], ["typ": "ID"],
      ["typ": "JWT"], ["typ": ["Bearer"]], ["exp": "99999999999"], ["exp": 1e308], ["nbf": "1"],
    ] as [[String: JSON]] {
      #expect(try await refusal(bench, changes)?.reason == .invalidToken, "\(changes)")
    }
  }

  @Test(
    arguments: [
      ["token_use": "access_token"], ["typ": "Bearer"], ["token_type": "bearer"], ["typ": "at+jwt"], ["typ": .null],
      ["token_type": .absent, "token_use": "access"],
    ] as [[String: JSON]])
  func `a response that names an access token in another way is one of it`(changes: [String: JSON]) async throws {
    #expect(try await refusal(bench(), changes) == nil)
  }

  @Test func `an issuer that sends no type is taken by an option, which lets no other type pass`() async throws {
    let bench = try await bench()
    let lenient = AccessTokenIntrospection(
      clientID: "app", authentication: .secret(Secret("s3cret")), acceptsMissingType: true)
    for (changes, isAccepted) in [
      (["token_type": .absent], true), (["token_type": .absent, "token_use": "refresh_token"], false),
      (["token_type": .absent, "at_hash": "x"], false), (["token_type": "DPoP"], false),
    ] as [([String: JSON], Bool)] {
      bench.loopback.quirks.introspection = changes
      let refusal = try await bench.refusal(of: token(bench).access, by: bench.verifier(introspection: lenient))
      #expect(refusal?.reason == (isAccepted ? nil : .invalidToken), "\(changes)")
    }
  }

  @Test func `an invented token is asked about once in ten seconds, and displaces no active one`() async throws {
    let bench = try await bench()
    let verifier = try bench.verifier(introspection: Self.introspection)
    let token = try await token(bench).access
    #expect(try await bench.refusal(of: token, by: verifier) == nil)
    for _ in 0..<5 { #expect(try await bench.refusal(of: "invented", by: verifier)?.reason == .invalidToken) }
    #expect(bench.loopback.requests(on: .introspection).count == 2)
    #expect(try await bench.refusal(of: token, by: verifier) == nil)
    bench.clock.advance(by: .seconds(10))
    #expect(try await bench.refusal(of: "invented", by: verifier)?.reason == .invalidToken)
    #expect(bench.loopback.requests(on: .introspection).count == 3)
    bench.loopback.set(.usual(.status(503)), on: .introspection)
    #expect(try await bench.refusal(of: "other", by: verifier)?.reason == .unavailable)
    bench.loopback.set(nil, on: .introspection)
    #expect(try await bench.refusal(of: "other", by: verifier)?.reason == .invalidToken)
  }

  @Test func `many tokens at once are not all asked about`() async throws {
    let bench = try await bench()
    let client = HeldClient(upstream: try SystemHTTPClient(), url: bench.loopback.url(.introspection))
    let verifier = try AccessTokenVerifier(
      resource: VerifierBench.resource, issuer: bench.issuer, introspection: Self.introspection, httpClient: client,
      clock: bench.clock)
    let most = TokenIntrospector.mostRequests
    let reasons = await withTaskGroup(of: AccessTokenRefusal?.self) { group in
      for number in 0..<most { group.addTask { await verifier.refusal(bearing: "invented-\(number)") } }
      await client.state.wait { $0.held == most }
      let refusal = await verifier.refusal(bearing: "further")
      #expect(refusal?.status == 503 && refusal?.headers["Retry-After"] == "1")
      client.state.update { $0.isReleased = true }
      return await group.reduce(into: []) { $0.append($1?.reason) }
    }
    #expect(reasons.count == most && reasons.allSatisfy { $0 == .invalidToken })
    #expect(bench.loopback.requests(on: .introspection).count == most)
  }

  @Test func `a response that cannot be understood is no fault of the client's`() async throws {
    let bench = try await bench()
    for changes in [["active": "true"], ["active": .absent], ["active": 1]] as [[String: JSON]] {
      #expect(try await refusal(bench, changes)?.reason == .unavailable, "\(changes)")
    }
    let token = try await token(bench).access
    for fault in [LoopbackOpenIDIssuer.Fault.usual(.status(503)), .usual(.html), .usual(.dropAfterProcessing)] {
      bench.loopback.set(fault, on: .introspection)
      let refusal = try await bench.refusal(of: token, by: bench.verifier(introspection: Self.introspection))
      #expect(refusal?.reason == .unavailable)
    }
    bench.loopback.set(nil, on: .introspection)
    let wrong = AccessTokenIntrospection(clientID: "app", authentication: .secret(Secret("wrong")))
    #expect(try await bench.refusal(of: token, by: bench.verifier(introspection: wrong))?.reason == .unavailable)
  }

  @Test func `a JWT is not asked about, whatever is wrong with it`() async throws {
    let bench = try await bench()
    let verifier = try bench.verifier(introspection: Self.introspection)
    for token in [bench.token(), bench.token(["exp": "1"]), bench.token(by: AccessTokenForge())] {
      _ = try await bench.refusal(of: token, by: verifier)
    }
    #expect(bench.loopback.requests(on: .introspection).isEmpty)
  }

  @Test(arguments: ["=", "==", ".", ".x", ".x.y", "~", "~a", ".="])
  func `a JWT with something appended is refused, and not asked about`(appended: String) async throws {
    let bench = try await bench()
    let verifier = try bench.verifier(introspection: Self.introspection)
    let token = bench.token()
    let parts = token.split(separator: ".")
    let spaced = Base64URL.encode(Data("\n { \"alg\":\"ES256\"}".utf8)) + "." + parts[1] + "." + parts[2]
    for text in [token + appended, "\(parts[0])\(appended).\(parts[1]).\(parts[2])", spaced + appended] {
      let reason = try await bench.refusal(of: text, by: verifier)?.reason
      #expect(reason == .invalidToken || reason == .invalidRequest, "\(text)")
    }
    #expect(bench.loopback.requests(on: .introspection).isEmpty)
    for opaque in ["eyJhbGciOiJIUzI1NiJ9", "at.1234", "v4.local.eyJ"] {
      _ = try await bench.refusal(of: opaque, by: verifier)
    }
    #expect(bench.loopback.requests(on: .introspection).count == 3)
  }

  @Test func `without introspection an opaque token is refused, and nothing is sent`() async throws {
    let bench = try await bench()
    let token = try await token(bench).access
    bench.loopback.forgetRequests()
    #expect(try await bench.refusal(of: token)?.reason == .invalidToken)
    #expect(bench.loopback.allRequests.isEmpty)
  }

  @Test func `requests with one token at once share the question`() async throws {
    let bench = try await bench()
    let verifier = try bench.verifier(introspection: Self.introspection)
    let token = try await token(bench).access
    bench.loopback.hold(.introspection)
    let accepted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { await verifier.refusal(bearing: token) == nil } }
      await bench.loopback.waitForRequest(on: .introspection)
      bench.loopback.release(.introspection)
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(accepted == 20 && bench.loopback.requests(on: .introspection).count == 1)
  }
}

/// Keeps the requests for one URL until the test releases them.
private struct HeldClient: HTTPClient {
  let upstream: any HTTPClient
  let url: URL
  let state = AwaitableState((held: 0, isReleased: false))

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    if request.url == url {
      state.update { $0.held += 1 }
      await state.wait { $0.isReleased }
    }
    return try await upstream.send(request)
  }
}
