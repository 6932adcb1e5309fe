import AuthenticationDomain
import AuthenticationKit
import AuthenticationDomainTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// From the browser to a session, over real HTTP.
@Suite(.timeLimit(.minutes(10))) struct BrowserSessionTests {
  typealias Fault = LoopbackOpenIDIssuer.Fault

  @Test func `a user who approves is signed in, with the issuer's claims about them`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    #expect(session.user.withoutClaims == User(id: "248289761001", name: "Ada Lovelace", email: "ada@example.com"))
    #expect(session.accessToken.type == "Bearer")
    #expect(session.accessToken.lifetime == .seconds(300))
    #expect(session.accessToken.scopes == ["openid", "profile", "email", "offline_access"])
    #expect(session.tokens.refresh != nil && session.tokens.identity != nil && session.tokens.proofKey == nil)
    let request = try #require(bench.loopback.requests(on: .token).first)
    let sent = FormBody(decoding: Array(request.body))?.fields.map(\.name)
    #expect(sent == ["grant_type", "code", "redirect_uri", "code_verifier", "client_id"])
    #expect(request.form["redirect_uri"] == "com.example.app:/callback")
    #expect(request.query == "" && request.header("Authorization") == nil)
    #expect(bench.loopback.requests(on: .userInfo).count == 1)
  }

  @Test(arguments: [LoopbackOpenIDIssuer.ClientAuthentication.basic, .post])
  func `a client with a secret uses it at each endpoint`(
    method: LoopbackOpenIDIssuer.ClientAuthentication
  ) async throws {
    var bench = try await ProviderBench {
      $0.clientSecret = "s3cret: &+ä"
      $0.clientAuthentication = method
    }
    let secret = Secret("s3cret: &+ä")
    bench.client.authentication = method == .basic ? .secretBasic(secret) : .secretPost(secret)
    let session = try await bench.signedIn()
    let provider = try bench.provider()
    #expect(try await provider.introspect(session).isActive)
    try await provider.revoke(session.tokens)
    #expect(bench.loopback.counters.liveSignIns == 0)
  }

  @Test func `a client with a key signs an assertion for each endpoint, none of them twice`() async throws {
    let members = try #require(JOSEFixture.keys.jwk["ES256"])
    let json = String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
    var bench = try await ProviderBench {
      $0.clientKeys = [json]
      $0.requiresPushedRequests = true
    }
    bench.loopback.quirks.requiresNonceAtTokenEndpoint = true
    bench.client.bindsTokens = true
    bench.client.authentication = .privateKeyJWT(try SigningKey(jwk: Secret(json)))
    let session = try await bench.signedIn()
    let provider = try bench.provider()
    #expect(try await provider.introspect(session).isActive)
    _ = try await provider.refresh(session)
    try await provider.revoke(session.tokens)
    #expect(bench.loopback.counters.liveSignIns == 0)
    let requests = LoopbackOpenIDIssuer.Endpoint.allCases.flatMap(bench.loopback.requests)
    let sent = requests.compactMap { $0.form["client_assertion"] }
    // The pushed request, the code and the refresh with the nonce that was asked for, the introspection, the revocations.
    #expect(sent.count == Set(sent).count && sent.count >= 6)
    let endpoints = LoopbackOpenIDIssuer.Endpoint.allCases.filter { endpoint in
      bench.loopback.requests(on: endpoint).contains { $0.form["client_assertion"] != nil }
    }
    #expect(endpoints == [.token, .pushedAuthorization, .introspection, .revocation])
  }

  @Test func `a device's code is asked for with an assertion too`() async throws {
    let json = String(decoding: try JSONEncoder().encode(try #require(JOSEFixture.keys.jwk["EdDSA"])), as: UTF8.self)
    var bench = try await ProviderBench { $0.clientKeys = [json] }
    bench.client.authentication = .privateKeyJWT(try SigningKey(jwk: Secret(json)))
    let provider = try bench.provider()
    let clock = bench.clock
    let signIn = Task { try await provider.signIn(with: DeviceSignIn { _ in }) }
    await bench.loopback.waitForRequest(on: .deviceAuthorization)
    for count in 1...2 {
      await clock.waitForSleepers()
      if count == 2 { bench.loopback.approveDevice() }
      clock.advance(by: .seconds(5))
      await bench.loopback.waitForRequest(on: .token, count: count)
    }
    guard case .session = try await signIn.value else { throw ProviderBench.NoSession() }
    #expect(Set(bench.loopback.requests(on: .token).map { $0.form["client_assertion"] }).count == 2)
  }

  @Test func `an assertion that was signed by a wrong clock is told as that`() async throws {
    let json = String(decoding: try JSONEncoder().encode(try #require(JOSEFixture.keys.jwk["ES256"])), as: UTF8.self)
    var bench = try await ProviderBench {
      $0.clientKeys = [json]
      $0.workload = nil
    }
    bench.client.allowsDiscouragedPasswordGrant = true
    bench.client.authentication = .privateKeyJWT(try SigningKey(jwk: Secret(json)))
    bench.loopback.quirks.clockOffset = .seconds(3_600)
    let provider = try bench.provider()
    let error = await failure {
      try await provider.signIn(with: PasswordCredentials(userName: "ada", password: Secret("correct horse")))
    }
    #expect(error == .clockSkewed && error?.providerCode == "invalid_client")
  }

  @Test(
    arguments: [
      (["nonce": "other"], .nonce), (["nonce": .absent], .nonce), (["at_hash": "AAAA"], .tokenHash),
      (["aud": "other"], .audience), (["iss": "https://evil.example"], .issuer), (["exp": 1], .lifetime),
      (["c_hash": "AAAA"], .tokenHash), (["sub": .absent], .subject),
    ] as [([String: JSON], FailureReason)])
  func `an ID token that fails a check signs no user in, and its tokens are revoked, rules 19, 23, 24`(
    claims: [String: JSON], check: FailureReason
  ) async throws {
    let bench = try await ProviderBench()
    bench.loopback.quirks.idTokenClaims = claims
    #expect(await failure { try await bench.signedIn() }?.reason == check)
    #expect(bench.loopback.counters.liveSignIns == 0)
    #expect(bench.loopback.counters.revocations == 2)
    #expect(bench.loopback.counters.sessionsEnded == 0, "a browser's session is not ended by a failed check")
  }

  @Test func `an ID token that was asked for must come`() async throws {
    let bench = try await ProviderBench()
    bench.loopback.quirks.tokenAnswer = ["id_token": .absent]
    #expect(await failure { try await bench.signedIn() }?.reason == .idToken)
    #expect(bench.loopback.counters.liveSignIns == 0)
  }

  @Test func `a forged signature signs no user in, rule 21`() async throws {
    let bench = try await ProviderBench()
    bench.loopback.quirks.signature = .ofAnotherKey
    #expect(await failure { try await bench.signedIn() }?.reason == .signature)
    #expect(bench.loopback.counters.liveSignIns == 0)
  }

  @Test func `an algorithm the app does not permit signs no user in, rule 22`() async throws {
    var bench = try await ProviderBench()
    bench.client.algorithms = [.es256]
    #expect(await failure { try await bench.signedIn() }?.reason == .signature)
  }

  @Test func `another audience counts where the app trusts it, rule 19`() async throws {
    var bench = try await ProviderBench()
    bench.loopback.quirks.idTokenClaims = ["aud": ["app", "api"], "azp": "app"]
    #expect(await failure { try await bench.signedIn() }?.reason == .audience)
    bench.client.trustedAudiences = ["api"]
    #expect(try await bench.signedIn().user.id == "248289761001")
  }

  @Test func `acr refuses a sign-in only where it was asked for as an essential claim, rule 23`() async throws {
    var bench = try await ProviderBench()
    bench.loopback.quirks.ignoresRequirements = true
    let gold = BrowserSignIn(SignInHints(requirements: AuthenticationRequirements(acrValues: ["urn:example:gold"])))
    #expect(try await bench.signedIn(gold).user.id == "248289761001")
    bench.loopback.quirks.idTokenClaims = ["acr": .absent]
    #expect(try await bench.signedIn(gold).user.id == "248289761001")
    bench.client.parameters["claims"] = #"{"id_token":{"acr":{"essential":true,"value":"urn:example:gold"}}}"#
    #expect(await failure { try await bench.signedIn(gold) }?.reason == .authentication)
  }

  // failure row 27
  @Test func `a device whose clock is wrong is told so`() async throws {
    var bench = try await ProviderBench()
    bench.loopback.quirks.clockOffset = .seconds(7_200)
    let error = await failure { try await bench.signedIn() }
    #expect(error == .clockSkewed)
    #expect(error?.clockOffset == .seconds(-7_200))
    #expect(bench.loopback.counters.liveSignIns == 0)
    bench.client.clockTolerance = .seconds(7_200)
    #expect(try await bench.signedIn().user.id == "248289761001")
  }

  // failure row 27; RFC 9449 §11.1
  @Test func `so is one whose proofs are refused for it`() async throws {
    var bench = try await ProviderBench()
    bench.client.bindsTokens = true
    bench.loopback.quirks.clockOffset = .seconds(7_200)
    let error = await failure { try await bench.signedIn() }
    #expect(error == .clockSkewed)
    #expect(error?.clockOffset == .seconds(-7_200))
    bench.loopback.quirks.sendsDate = false
    #expect(await failure { try await bench.signedIn() } == .clientRejected)
  }

  @Test(arguments: [
    (Fault.error("invalid_code", status: 403), AuthenticationError.invalidCredentials),
    (.error("invalid_grant"), .invalidCredentials), (.error("invalid_client", status: 401), .clientRejected),
    (.body("", status: 400, headers: ["Cache-Control": "no-store"]), .unexpectedResponse),
    (.usual(.html), .unexpectedResponse), (.usual(.empty), .unexpectedResponse),
    (.usual(.status(503, retryAfter: 60)), .serverFailed), (.usual(.truncatedJSON), .unexpectedResponse),
    (.usual(.basicChallenge), .clientRejected), (.usual(.huge()), .responseTooLarge),
  ])
  func `a token endpoint that gives none is told apart`(fault: Fault, code: AuthenticationError) async throws {
    let bench = try await ProviderBench()
    bench.loopback.set(fault, on: .token)
    let error = await failure { try await bench.signedIn() }
    #expect(error == code)
    #expect(error.map { !texts(of: $0).contains("canary") } == true)
  }

  @Test func `a redirect of the token endpoint takes the code nowhere, rule 15`() async throws {
    let bench = try await ProviderBench()
    bench.loopback.set(.usual(.redirect(to: bench.loopback.url(.resource))), on: .token)
    #expect(await failure { try await bench.signedIn() } == .unexpectedResponse)
    #expect(bench.loopback.requests(on: .resource).isEmpty)
  }

  @Test func `quirks of real issuers break nothing, rules 16, 18`() async throws {
    let bench = try await ProviderBench { $0.path = "/api/oidc" }
    bench.loopback.quirks.doublesSlashes = true
    bench.loopback.quirks.tokenAnswer = [
      "token_type": "bearer", "expires_in": "300", "scope": "openid", "error": .absent,
    ]
    bench.loopback.quirks.idTokenClaims = ["auth_time": 0]
    let session = try await bench.signedIn()
    #expect(session.accessToken.type == "Bearer")
    #expect(session.accessToken.lifetime == .seconds(300))
    #expect(session.accessToken.scopes == ["openid"])
  }

  @Test func `claims that the ID token leaves out are requested from the UserInfo endpoint`() async throws {
    let bench = try await ProviderBench()
    bench.loopback.quirks.idTokenClaims = ["name": .absent, "preferred_username": .absent, "email": .absent]
    let user = try await bench.signedIn().user
    #expect(user.withoutClaims == User(id: "248289761001", name: "Ada Lovelace", email: "ada@example.com"))
    let request = try #require(bench.loopback.requests(on: .userInfo).first)
    #expect(request.query == "" && request.header("Authorization")?.hasPrefix("Bearer ") == true)
  }

  @Test func `a casual name of the ID token is shown where the UserInfo endpoint knows no better one`() async throws {
    let bench = try await ProviderBench()
    bench.loopback.quirks.idTokenClaims = ["name": .absent, "preferred_username": .absent, "nickname": "Countess"]
    #expect(try await bench.signedIn().user.name == "Ada Lovelace")
    bench.loopback.quirks.userInfo = ["name": .absent, "preferred_username": .absent]
    #expect(try await bench.signedIn().user.name == "Countess")
    bench.loopback.set(.usual(.status(503)), on: .userInfo)
    #expect(try await bench.signedIn().user.name == "Countess")
  }

  @Test func `a response about another user signs no user in, rule 26`() async throws {
    let bench = try await ProviderBench()
    bench.loopback.quirks.idTokenClaims = ["name": .absent, "preferred_username": .absent]
    bench.loopback.quirks.userInfo = ["sub": "248289761002"]
    #expect(await failure { try await bench.signedIn() }?.reason == .subject)
    #expect(bench.loopback.counters.liveSignIns == 0)
  }

  @Test(arguments: [
    Fault.usual(.status(503)), .usual(.html), .usual(.empty), .error("insufficient_scope", status: 403), .body("{}"),
  ])
  func `a UserInfo endpoint that fails keeps no user from signing in`(fault: Fault) async throws {
    let bench = try await ProviderBench()
    bench.loopback.quirks.idTokenClaims = ["name": .absent, "preferred_username": .absent]
    bench.loopback.set(fault, on: .userInfo)
    #expect(try await bench.signedIn().user.withoutClaims == User(id: "248289761001", email: "ada@example.com"))
  }

  @Test(.timeLimit(.minutes(10))) func `a sign-in waits no longer than five seconds for a name`() async throws {
    let bench = try await ProviderBench()
    let environment = AuthProviderConfiguration.Environment(
      httpClient: try SystemHTTPClient(deadline: .seconds(600)), clock: bench.clock)
    let provider = try OpenIDConnectProvider(bench.client, in: environment)
    bench.loopback.quirks.idTokenClaims = ["name": .absent, "preferred_username": .absent]
    bench.loopback.hold(.userInfo)
    let call = Task { try await provider.signIn(with: .browser) }
    await bench.loopback.waitForRequest(on: .userInfo)
    await bench.clock.waitForSleepers()
    bench.clock.advance(by: .seconds(5))
    guard case .session(let session) = try await call.value else { throw ProviderBench.NoSession() }
    #expect(session.user.withoutClaims == User(id: "248289761001", email: "ada@example.com"))
    bench.loopback.release(.userInfo)
  }

  // failure row 20
  @Test func `tokens of a sign-in that was cancelled are revoked all the same`() async throws {
    let bench = try await ProviderBench()
    bench.loopback.quirks.idTokenClaims = ["name": .absent, "preferred_username": .absent]
    bench.loopback.hold(.userInfo)
    let provider = try bench.provider()
    let call = Task { await failure { try await provider.signIn(with: BrowserSignIn()) } }
    await bench.loopback.waitForRequest(on: .userInfo)
    call.cancel()
    #expect(await call.value == .cancelled)
    #expect(bench.loopback.counters.liveSignIns == 0)
    bench.loopback.release(.userInfo)
  }

  // failure row 40
  @Test func `an app that was relaunched while the browser was open ends the sign-in`() async throws {
    var bench = try await ProviderBench()
    let abandoned = AbandonedBrowser(bench.loopback)
    bench.client.presenter = abandoned
    let provider = try bench.provider()
    let call = Task { await failure { try await provider.signIn(with: BrowserSignIn()) } }
    let url = try #require(await abandoned.redirect())
    #expect(try await bench.signedIn(BrowserReturn(url: url)).user.id == "248289761001")
    let again = bench
    #expect(await failure { try await again.signedIn(BrowserReturn(url: url)) }?.reason == .state)
    abandoned.close()
    #expect(await call.value == .cancelled)
  }
}
