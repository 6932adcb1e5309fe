import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// Passwords, other devices, plain OAuth, and refusals.
@Suite(.timeLimit(.minutes(10))) struct OtherGrantTests {
  private let password = PasswordCredentials(userName: "ada", password: Secret("correct horse"))

  @Test func `a password is sent only where the app team asks for that by name, rule 5`() async throws {
    var bench = try await ProviderBench()
    #expect(try await failure(of: bench, password) == .unsupportedMethod)
    #expect(bench.loopback.allRequests.isEmpty)
    bench.client.allowsDiscouragedPasswordGrant = true
    #expect(try await bench.signedIn(password).user.id == "248289761001")
    let request = try #require(bench.loopback.requests(on: .token).first)
    #expect(
      String(decoding: request.body, as: UTF8.self) == "grant_type=password&username=ada&password=correct+horse"
        + "&scope=openid+profile+email+offline_access&client_id=app")
    let error = try await failure(of: bench, PasswordCredentials(userName: "ada", password: Secret("canary")))
    #expect(error == .invalidCredentials)
    #expect(error?.providerCode == "invalid_grant")
  }

  private func failure(of bench: ProviderBench, _ credentials: any Credentials) async throws -> AuthenticationError? {
    let provider = try bench.provider()
    return await OpenIDTests.failure { try await provider.signIn(with: credentials) }
  }

  @Test func `credentials of another kind are refused before anything is sent`() async throws {
    let bench = try await ProviderBench()
    #expect(try await failure(of: bench, PhoneCredentials(phoneNumber: "+4912345678")) == .unsupportedMethod)
    #expect(bench.loopback.allRequests.isEmpty)
  }

  @Test func `the scopes, resources and audience of the client go to each endpoint that grants them`() async throws {
    var bench = try await ProviderBench()
    bench.client.allowsDiscouragedPasswordGrant = true
    bench.client.scopes = ["openid", "offline_access"]
    bench.client.resources = ["https://api.example.com"]
    bench.client.audience = "api"
    let session = try await bench.signedIn(password)
    _ = try await bench.provider().refresh(session)
    let bodies = bench.loopback.requests(on: .token).map { String(decoding: $0.body, as: UTF8.self) }
    #expect(
      bodies[0].hasSuffix(
        "&scope=openid+offline_access&resource=https%3A%2F%2Fapi.example.com&audience=api&client_id=app"))
    #expect(bodies[1].hasSuffix("&resource=https%3A%2F%2Fapi.example.com&client_id=app"))
    #expect(!bodies[1].contains("scope"))
  }

  @Test func `a user who types the code elsewhere is signed in here, rule 36`() async throws {
    let bench = try await ProviderBench()
    let prompts = Log()
    let signIn = DeviceSignIn { prompt in prompts.append("\(prompt.address ?? "") \(prompt.userCode ?? "")") }
    let provider = try bench.provider()
    let call = Task { try await provider.signIn(with: signIn) }
    await bench.loopback.waitForDevice()
    await bench.clock.waitForSleepers()
    #expect(prompts.lines == ["\(bench.client.issuer)/device WDJB-1000"])
    bench.clock.advance(by: .seconds(5))
    await bench.loopback.waitForRequest(on: .token)
    await bench.clock.waitForSleepers()
    bench.loopback.approveDevice()
    bench.clock.advance(by: .seconds(5))
    guard case .session(let session) = try await call.value else { throw ProviderBench.NoSession() }
    #expect(session.user.id == "248289761001")
    #expect(
      bench.loopback.requests(on: .deviceAuthorization).map { String(decoding: $0.body, as: UTF8.self) } == [
        "scope=openid+profile+email+offline_access&client_id=app"
      ])
  }

  @Test func `a device's tokens are bound to a key too, rule 34`() async throws {
    var bench = try await ProviderBench()
    bench.client.bindsTokens = true
    let provider = try bench.provider()
    let call = Task { try await provider.signIn(with: DeviceSignIn { _ in }) }
    await bench.clock.waitForSleepers()
    bench.loopback.approveDevice()
    bench.clock.advance(by: .seconds(5))
    guard case .session(let session) = try await call.value else { throw ProviderBench.NoSession() }
    #expect(session.accessToken.type == "DPoP" && session.tokens.proofKey != nil)
  }

  @Test(arguments: [
    (LoopbackOpenIDIssuer.UserAction.declines, AuthenticationError.declined),
    (.causes(error: "expired_token"), .signInExpired), (.causes(error: "invalid_grant"), .signInExpired),
  ])
  func `a user who declines elsewhere is not signed in, rule 36`(
    action: LoopbackOpenIDIssuer.UserAction, code: AuthenticationError
  ) async throws {
    let bench = try await ProviderBench()
    let provider = try bench.provider()
    let call = Task { await OpenIDTests.failure { try await provider.signIn(with: DeviceSignIn { _ in }) } }
    await bench.clock.waitForSleepers()
    switch action {
    case .causes(let error): bench.loopback.set(.error(error), on: .token)
    default: bench.loopback.declineDevice()
    }
    bench.clock.advance(by: .seconds(5))
    #expect(await call.value == code)
  }

  @Test func `an issuer without the endpoint says so`() async throws {
    let bench = try await ProviderBench()
    bench.loopback.quirks.metadata = ["device_authorization_endpoint": .absent]
    #expect(try await failure(of: bench, DeviceSignIn { _ in }) == .endpointMissing)
  }

  @Test func `without an ID token the issuer names the user, or each sign-in is a new user`() async throws {
    var bench = try await ProviderBench()
    bench.client.scopes = ["profile", "offline_access"]
    let known = try await bench.signedIn()
    #expect(known.user.withoutClaims == User(id: "248289761001", name: "Ada Lovelace"))
    #expect(known.tokens.identity == nil)
    bench.loopback.quirks.metadata = ["userinfo_endpoint": .absent]
    #expect(try await bench.signedIn().user.id == "248289761001", "by introspection")
    bench.loopback.set(.error("invalid_client", status: 401), on: .introspection)
    let (one, two) = (try await bench.signedIn(), try await bench.signedIn())
    #expect(one.user.id != two.user.id && one.user.id.utf8.count == 22)
  }

  @Test(arguments: [LoopbackOpenIDIssuer.Endpoint.userInfo, .introspection])
  func `an outage makes no new user of a known one`(endpoint: LoopbackOpenIDIssuer.Endpoint) async throws {
    var bench = try await ProviderBench()
    bench.client.scopes = ["offline_access"]
    if endpoint == .introspection { bench.loopback.quirks.metadata = ["userinfo_endpoint": .absent] }
    bench.loopback.set(.usual(.status(503)), on: endpoint)
    #expect(try await failure(of: bench, BrowserSignIn()) == .serverFailed)
    #expect(bench.loopback.counters.liveSignIns == 0)
  }

  // RFC 8693
  @Test func `a token is exchanged for one that another service takes`() async throws {
    let bench = try await ProviderBench()
    let provider = try bench.provider()
    let session = try await bench.signedIn()
    let exchanged = try await provider.exchange(
      session.accessToken.value, type: .accessToken, for: nil, audiences: [], resources: [], scopes: [])
    #expect(exchanged.issuedType == .accessToken && exchanged.token.type == "Bearer")
    let error = await OpenIDTests.failure {
      try await provider.exchange(
        Secret("x"), type: .accessToken, for: nil, audiences: [], resources: [], scopes: [])
    }
    #expect(error == .clientRejected)
  }

  @Test(
    arguments: [
      { $0.issuer = "http://id.example.com" }, { $0.issuer = "id.example.com" },
      { $0.issuer = "https://id.example.com?x=1" }, { $0.clientID = "" }, { $0.scopes = ["a b"] },
    ] as [@Sendable (inout OpenIDClient) -> Void])
  func `a client that cannot work is refused when the app is composed`(change: @Sendable (inout OpenIDClient) -> Void) {
    var client = OpenIDClient(issuer: "https://id.example.com", clientID: "app")
    change(&client)
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) {
      try MainRoot(.openIDConnect(client)) { $0.storage = .inMemory }
    }
  }

  @Test func `tokens go to the issuer's origin, and where else the client says, rule 31`() throws {
    var client = OpenIDClient(issuer: "https://id.example.com/tenant", clientID: "app")
    let api = try #require(Origin(URL(string: "https://api.example.com")!))
    client.allowedOrigins = [api]
    let root = try MainRoot(.openIDConnect(client)) { $0.storage = .inMemory }
    #expect(root.allowedOrigins == [api, try #require(Origin(URL(string: "https://id.example.com")!))])
    #expect(root.providerName == "openid")
  }
}
