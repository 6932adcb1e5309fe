import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Synchronization
import Testing

@testable import AuthenticationOpenID

/// Ending a session at the issuer, and asking whether it is over.
@Suite(.timeLimit(.minutes(10))) struct IssuerSessionEndTests {
  typealias Fault = LoopbackOpenIDIssuer.Fault

  @Test func `tokens are revoked, and the issuer is told without a browser, rule 33`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    try await bench.provider().revoke(session.tokens)
    #expect(bench.loopback.counters.liveSignIns == 0)
    #expect(
      bench.loopback.requests(on: .revocation).map { $0.form["token_type_hint"] } == ["refresh_token", "access_token"])
    let told = try #require(bench.loopback.requests(on: .endSession).first)
    #expect(told.method == "POST" && told.query == "")
    #expect(told.form["id_token_hint"] == session.tokens.identity?.reveal())
    #expect(told.form["client_id"] == "app")
  }

  @Test(arguments: [Fault.usual(.status(500)), .usual(.html), .error("x"), .usual(.dropAfterProcessing)])
  func `its response to that is ignored`(fault: Fault) async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.set(fault, on: .endSession)
    try await bench.provider().revoke(session.tokens)
    #expect(bench.loopback.counters.liveSignIns == 0)
  }

  @Test func `a revocation that fails is thrown, to be tried again, rule 33`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.set(.usual(.status(503, retryAfter: 30)), on: .revocation)
    let provider = try bench.provider()
    let error = await failure { try await provider.revoke(session.tokens) }
    #expect(error == .serverFailed)
    #expect(error?.retryAfter == .seconds(30))
    #expect(bench.loopback.counters.sessionsEnded == 0)
  }

  @Test func `an issuer that cannot revoke is asked for nothing, and the sign-out says so`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.quirks.metadata = ["revocation_endpoint": .absent, "end_session_endpoint": .absent]
    let provider = try bench.provider()
    let error = await failure { try await provider.revoke(session.tokens) }
    #expect(error == .unsupportedMethod && error?.message == "The issuer has no endpoint that revokes tokens.")
    #expect(bench.loopback.requests(on: .revocation).isEmpty)
  }

  // OpenID Connect RP-Initiated Logout §2
  @Test func `an issuer that asks in the browser before it ends a session is said to`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.quirks.metadata = ["revocation_endpoint": .absent]
    bench.loopback.set(.body("<form>Sign out?</form>", contentType: "text/html"), on: .endSession)
    let provider = try bench.provider()
    let error = await failure { try await provider.revoke(session.tokens) }
    #expect(error == .unsupportedMethod && error?.message.contains("asks in the browser") == true)
  }

  @Test func `a client that may not revoke still asks for the end of the session, and the sign-out says so`()
    async throws
  {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.set(.error("invalid_client", status: 401), on: .revocation)
    let provider = try bench.provider()
    #expect(await failure { try await provider.revoke(session.tokens) } == .unsupportedMethod)
    #expect(bench.loopback.counters.sessionsEnded == 1)
  }

  @Test(arguments: [404, 405, 500])
  func `an ID token is never put into an address, whatever is said to the posted one`(status: Int) async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.set(.usual(.status(status)), on: .endSession)
    try await bench.provider().revoke(session.tokens)
    #expect(bench.loopback.requests(on: .endSession).map(\.method) == ["POST"])
    #expect(bench.loopback.allRequests.allSatisfy { !$0.query.contains("id_token_hint") })
  }

  // OpenID Connect RP-Initiated Logout §2
  @Test func `the issuer's page ends the user's session there`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    try await bench.provider().endSession(
      of: session, presenter: nil, postLogoutRedirect: .address("com.example.app:/signed-out"))
    #expect(bench.loopback.counters.sessionsEnded == 1)
    let page = try #require(bench.browser.pages.last)
    let fields = FormBody(decoding: Array((page.query(percentEncoded: true) ?? "").utf8))?.fields ?? []
    try #require(fields.map(\.name) == ["client_id", "logout_hint", "post_logout_redirect_uri", "state"])
    #expect(fields[0].value == "app")
    #expect(fields[1].value == "ada@example.com")
    #expect(fields[2].value == "com.example.app:/signed-out")
    #expect(fields[3].value.utf8.count == 43)
    #expect(!page.absoluteString.contains(session.accessToken.value.reveal()), "rule 30")
  }

  #if os(macOS) || os(Linux)
  @Test func `the page is left by a port of this machine, too`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    let pages = Mutex<[URL]>([])
    let presenter = SystemBrowserPresenter(clock: bench.clock) { page in
      pages.withLock { $0.append(page) }
      let fields = FormBody(decoding: Array((page.query(percentEncoded: true) ?? "").utf8))?.fields ?? []
      let values = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
      let port = UInt16(URL(string: values["post_logout_redirect_uri"] ?? "")?.port ?? 0)
      let target = "/signed-out?state=\(values["state"] ?? "")"
      Thread.detachNewThread { _ = Browser.ask(port, Browser.get(target, port)) }
    }
    try await bench.provider().endSession(
      of: session, presenter: presenter, postLogoutRedirect: .loopback(path: "/signed-out"))
    let page = try #require(pages.withLock { $0 }.first)
    let identity = try #require(session.tokens.identity?.reveal())
    #expect(!page.absoluteString.contains(identity) && !page.absoluteString.contains("id_token_hint"))
    #expect(page.absoluteString.contains("client_id=app&logout_hint=ada%40example.com&post_logout_redirect_uri=http"))
  }
  #endif

  @Test(arguments: [
    ("state=", "state=x", FailureReason.state), ("state=", "status=", .state), ("signed-out", "elsewhere", .redirect),
    ("?state=", "?state=y&state=", .redirect),
  ])
  func `an answer to another request is refused`(part: String, other: String, check: FailureReason) async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.browser.onReturn { $0.replacingOccurrences(of: part, with: other) }
    let provider = try bench.provider()
    let error = await failure {
      try await provider.endSession(
        of: session, presenter: nil, postLogoutRedirect: .address("com.example.app:/signed-out"))
    }
    #expect(error?.reason == check)
  }

  @Test func `a session is validated by introspection, else by UserInfo`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    let before = bench.loopback.requests(on: .userInfo).count
    #expect(try await bench.provider().isValid(session))
    #expect(bench.loopback.requests(on: .userInfo).count == before)
    bench.loopback.set(.error("invalid_client", status: 401), on: .introspection)
    #expect(try await bench.provider().isValid(session))
    bench.loopback.set(.body("", status: 401), on: .introspection)
    #expect(try await bench.provider().isValid(session))
    #expect(bench.loopback.requests(on: .userInfo).count == before + 2)
    bench.loopback.set(nil, on: .introspection)
    bench.loopback.quirks.introspection = ["active": false]
    #expect(try await bench.provider().isValid(session), "to this client it says so of every token (RFC 7662 §2.2)")
    bench.loopback.quirks.introspection = [:]
    bench.loopback.revokeAllAccessTokens()
    #expect(try await bench.provider().isValid(session) == false)
    bench.loopback.set(nil, on: .introspection)
    #expect(try await bench.provider().isValid(session) == false)
  }

  @Test(arguments: [
    Fault.usual(.status(503)), .usual(.html), .usual(.basicChallenge), .body("", status: 401),
    .body("<p>", status: 403, contentType: "text/html"),
  ])
  func `an outage is not "no"`(fault: Fault) async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.set(.error("invalid_client", status: 401), on: .introspection)
    bench.loopback.set(fault, on: .userInfo)
    let provider = try bench.provider()
    #expect(await failure { try await provider.isValid(session) } != nil)
  }

  @Test func `without either endpoint the state is unknown`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.quirks.metadata = ["userinfo_endpoint": .absent, "introspection_endpoint": .absent]
    let provider = try bench.provider()
    #expect(await failure { try await provider.isValid(session) } == .unsupportedMethod)
    #expect(await failure { try await provider.userInfo(for: session) } == .endpointMissing)
    #expect(await failure { try await provider.introspect(session) } == .endpointMissing)
  }

  @Test func `UserInfo about another user is discarded, rule 26`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    let provider = try bench.provider()
    #expect(try await provider.userInfo(for: session).email == "ada@example.com")
    bench.loopback.quirks.userInfo = ["sub": "248289761002"]
    #expect(await failure { try await provider.userInfo(for: session) }?.reason == .subject)
    bench.loopback.set(.error("invalid_client", status: 401), on: .introspection)
    #expect(await failure { try await provider.isValid(session) }?.reason == .subject)
  }
}
