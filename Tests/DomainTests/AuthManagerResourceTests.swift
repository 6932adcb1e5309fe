import AuthenticationDomainTesting
import Foundation
import Testing

@testable import AuthenticationDomain

/// Several access tokens from one session: each for one API, all by one refresh token.
@Suite(.tags(.concurrency), .timeLimit(.minutes(10))) struct AuthManagerResourceTests {
  private static let orders = ProtectedResource.resource("https://orders.example.com")
  private static let bills = ProtectedResource.resource("https://bills.example.com", scopes: ["read"])
  private let lock = ScriptedSessionLock()

  private func bench(canRefresh: Bool = true) async throws -> Bench {
    let bench = Bench(lock: lock, resources: [Self.orders, Self.bills])
    try await bench.signIn(as: bench.session(1, canRefresh: canRefresh))
    return bench
  }

  /// The provider's result of a refresh for a resource: its access token, and a new refresh token.
  private func answer(
    _ name: String, rotatingTo number: Int?, in bench: Bench, lifetime: Duration = .seconds(600),
    refusal: AuthenticationError? = nil
  ) throws -> Result<ResourceTokens, AuthenticationError> {
    let access = try AccessToken(Secret(name), receivedAt: bench.clock.now, lifetime: lifetime)
    let refresh = number.map { Secret("refresh-\($0)") }
    return .success(ResourceTokens(SessionTokens(access: access, refresh: refresh), refusal: refusal))
  }

  private func token(
    of resource: ProtectedResource, _ bench: Bench, rejecting rejected: AccessToken? = nil
  ) async throws -> String {
    try await bench.manager.source(for: resource).validSession(rejecting: rejected).accessToken.value.reveal()
  }

  private func start(
    _ resource: ProtectedResource, _ bench: Bench
  ) -> Task<Result<AuthSession, AuthenticationError>, Never> {
    bench.start { manager async throws(AuthenticationError) in try await manager.validSession(for: resource) }
  }

  @Test func `two APIs get a token each, and the session's own stays`() async throws {
    let bench = try await bench()
    bench.provider.answerResource(try answer("orders", rotatingTo: 2, in: bench))
    #expect(try await token(of: Self.orders, bench) == "orders")
    bench.provider.answerResource(try answer("bills", rotatingTo: 3, in: bench))
    let bills = try await bench.manager.validSession(for: Self.bills)
    #expect(bills.accessToken.value == Secret("bills") && bills.user == .ada && bills.tokens.refresh == nil)
    #expect(bench.provider.resourceRefreshes.map(\.token) == ["refresh-1", "refresh-2"], "each is sent once")
    #expect(bench.provider.resourceRefreshes.map(\.resource) == [Self.orders, Self.bills])
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
    #expect(bench.store.record?.session?.tokens.refresh == Secret("refresh-3"))
    #expect(bench.refreshes == 0)
  }

  @Test func `a token is kept between launches, and returned without a request until it ends`() async throws {
    let bench = try await bench()
    bench.provider.answerResource(
      try answer("first", rotatingTo: nil, in: bench), try answer("second", rotatingTo: nil, in: bench))
    #expect(try await token(of: Self.orders, bench) == "first")
    let next = Bench(store: bench.store, clock: bench.clock, resources: [Self.orders])
    #expect(try await token(of: Self.orders, next) == "first")
    #expect(next.provider.resourceRefreshes.isEmpty)
    bench.clock.advance(by: .seconds(600))
    #expect(try await token(of: Self.orders, bench) == "second")
    let other = Bench(
      store: bench.store, clock: bench.clock,
      resources: [.resource("https://orders.example.com", scopes: ["write"])])
    _ = await other.manager.restore()
    #expect(await other.manager.resourceTokens().first?.token == nil, "with other scopes it is another token")
  }

  @Test func `while the refresh token is in use, callers for other APIs wait, and then send the new one`() async throws
  {
    let bench = try await bench()
    bench.provider.hold(.refresh)
    bench.provider.answerResource(
      try answer("orders", rotatingTo: 2, in: bench), try answer("bills", rotatingTo: 3, in: bench))
    let first = start(Self.orders, bench)
    await bench.provider.waitForArrival(of: .refresh)
    let second = start(Self.bills, bench)
    let third = start(Self.orders, bench)
    #expect(bench.provider.resourceRefreshes.count == 1)
    bench.provider.release(.refresh)
    let tokens = [await first.value, await second.value, await third.value].map { try? $0.get().accessToken.value }
    #expect(tokens == [Secret("orders"), Secret("bills"), Secret("orders")])
    #expect(bench.provider.resourceRefreshes.map(\.token) == ["refresh-1", "refresh-2"])
  }

  @Test func `a refresh of the session goes before or after one for an API, never beside it`() async throws {
    let bench = try await bench()
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.hold(.refresh)
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    bench.provider.answerResource(try answer("orders", rotatingTo: 3, in: bench))
    let own = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    let other = start(Self.orders, bench)
    #expect(bench.provider.resourceRefreshes.isEmpty)
    bench.provider.release(.refresh)
    #expect(try await own.value.get().accessToken.value == Secret("access-2"))
    #expect(try await other.value.get().accessToken.value == Secret("orders"))
    #expect(bench.provider.resourceRefreshes.map(\.token) == ["refresh-2"])
  }

  @Test(arguments: [
    AuthenticationError.resourceRefused, .insufficientUserAuthentication, .clientRejected, .unreachable,
  ])
  func `an API that gets no token costs nothing else`(error: AuthenticationError) async throws {
    let bench = try await bench()
    bench.provider.answerResource(.failure(error))
    await #expect(throws: error) { try await token(of: Self.orders, bench) }
    #expect(bench.manager.state == .using(bench.session(1)))
    #expect(bench.store.record?.refreshJournal == nil, "the refresh token is not spent")
    bench.provider.answerResource(try answer("bills", rotatingTo: 2, in: bench))
    _ = try? await token(of: Self.orders, bench)
    bench.clock.advance(by: .seconds(60))
    #expect(try await token(of: Self.bills, bench) == "bills")
  }

  @Test func `an API that is refused again and again is asked for less and less often`() async throws {
    let bench = try await bench()
    bench.provider.answerResource(.failure(.resourceRefused))
    for _ in 0..<20 { await #expect(throws: AuthenticationError.self) { try await token(of: Self.orders, bench) } }
    #expect(bench.provider.resourceRefreshes.count < 5)
    try await bench.signIn(as: bench.session(4))
    bench.provider.answerResource(try answer("orders", rotatingTo: 5, in: bench))
    #expect(throws: Never.self) { try bench.manager.source(for: Self.orders) }
    _ = try? await token(of: Self.orders, bench)
    #expect(try await token(of: Self.orders, bench) == "orders", "a new sign-in may have brought the right")
  }

  @Test func `a token for something else is not used, and the refresh token that came with it is kept`() async throws {
    let bench = try await bench()
    bench.provider.answerResource(try answer("other", rotatingTo: 2, in: bench, refusal: .resourceRefused))
    await #expect(throws: AuthenticationError.resourceRefused) { try await token(of: Self.orders, bench) }
    #expect(bench.store.record?.session?.tokens.refresh == Secret("refresh-2"))
    #expect(bench.store.record?.resourceTokens.isEmpty == true)
    bench.clock.advance(by: .seconds(60))
    bench.provider.answerResource(try answer("orders", rotatingTo: 3, in: bench))
    _ = try? await token(of: Self.orders, bench)
    #expect(try await token(of: Self.orders, bench) == "orders")
  }

  @Test func `a sign-out ends the tokens of all APIs and resumes callers that wait for one`() async throws {
    let bench = try await bench()
    bench.provider.answerResource(try answer("bills", rotatingTo: nil, in: bench))
    _ = try await token(of: Self.bills, bench)
    bench.provider.hold(.refresh)
    let waiting = start(Self.orders, bench)
    await bench.provider.waitForArrival(of: .refresh, count: 2)
    try await bench.manager.signOut()
    #expect(await waiting.value == .failure(.notSignedIn))
    bench.provider.release(.refresh)
    await #expect(throws: AuthenticationError.notSignedIn) { try await token(of: Self.bills, bench) }
    #expect(bench.store.record?.resourceTokens.isEmpty != false)
    try await bench.signIn(as: bench.session(3, of: .grace))
    bench.provider.answerResource(try answer("of-grace", rotatingTo: nil, in: bench))
    _ = try? await token(of: Self.bills, bench)
    let last = try await bench.manager.validSession(for: Self.bills)
    #expect(last.user == .grace && last.accessToken.value != Secret("bills"))
  }

  @Test func `a user who signs in again, perhaps with other rights, gets new tokens`() async throws {
    let bench = try await bench()
    bench.provider.answerResource(try answer("old", rotatingTo: nil, in: bench))
    _ = try await token(of: Self.orders, bench)
    try await bench.signIn(as: bench.session(2))
    bench.provider.answerResource(try answer("new", rotatingTo: nil, in: bench))
    var found = try await token(of: Self.orders, bench)
    if found == "old" { found = try await token(of: Self.orders, bench) }
    #expect(found == "new")
  }

  @Test func `another user's sign-in supersedes a caller that waits for a token`() async throws {
    let bench = try await bench()
    bench.provider.hold(.refresh)
    bench.provider.answerResource(try answer("of-ada", rotatingTo: 2, in: bench))
    let waiting = start(Self.orders, bench)
    await bench.provider.waitForArrival(of: .refresh)
    try await bench.signIn(as: bench.session(3, of: .grace))
    #expect(await waiting.value == .failure(.superseded))
    bench.provider.release(.refresh)
    #expect(bench.manager.state.user == .grace)
  }

  @Test func `a refresh token that is no longer accepted ends the session, whichever token it was to get`() async throws
  {
    let bench = try await bench()
    bench.provider.answerResource(.failure(.sessionRejected))
    await #expect(throws: AuthenticationError.sessionRejected) { try await token(of: Self.orders, bench) }
    #expect(bench.manager.state == .signedOut(.rejected))
    #expect(bench.store.record?.session == nil)
  }

  @Test(arguments: [true, false])
  func `an update of the user during a refresh loses no token`(isOfResource: Bool) async throws {
    let bench = try await bench()
    bench.provider.hold(.refresh)
    bench.provider.answerResource(try answer("orders", rotatingTo: 2, in: bench))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    if !isOfResource { bench.clock.advance(by: .seconds(3_600)) }
    let waiting = isOfResource ? start(Self.orders, bench) : bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    let told = User(id: "ada", name: "Ada King")
    try await bench.manager.take(AuthSession(user: told, tokens: bench.session(1).tokens), upgrading: false)
    bench.provider.release(.refresh)
    #expect(try await waiting.value.get().user.name == "Ada King")
    #expect(bench.store.record?.session?.tokens.refresh == Secret("refresh-2"))
    #expect(bench.store.record?.session?.user.name == "Ada King")
    #expect(bench.store.record?.refreshJournal == nil)
  }

  @Test func `a forced refresh waits for that of a resource, and gets new tokens`() async throws {
    let bench = try await bench()
    bench.provider.hold(.refresh)
    bench.provider.answerResource(try answer("orders", rotatingTo: 2, in: bench))
    bench.provider.answerRefresh(.success(bench.tokens(3)))
    let resource = start(Self.orders, bench)
    await bench.provider.waitForArrival(of: .refresh)
    let forced = bench.start { manager async throws(AuthenticationError) in try await manager.refreshNow() }
    bench.provider.release(.refresh)
    _ = try await resource.value.get()
    #expect(try await forced.value.get().accessToken.value == Secret("access-3"))
    #expect(bench.refreshes == 1)
  }

  @Test func `a token that cannot last as long as a caller wants is fetched once`() async throws {
    let bench = try await bench()
    bench.provider.answerResource(try answer("orders", rotatingTo: nil, in: bench))
    for _ in 0..<3 { _ = try await bench.manager.validSession(for: Self.orders, lasting: .seconds(3_000)) }
    #expect(bench.provider.resourceRefreshes.count == 1)
  }

  @Test func `an account that is upgraded gets new tokens for its APIs`() async throws {
    let bench = try await bench()
    bench.provider.answerResource(try answer("anonymous", rotatingTo: nil, in: bench))
    _ = try await token(of: Self.orders, bench)
    try await bench.manager.take(bench.session(2), upgrading: true)
    #expect(bench.store.record?.resourceTokens.isEmpty == true)
    bench.provider.answerResource(try answer("named", rotatingTo: nil, in: bench))
    _ = try? await token(of: Self.orders, bench)
    #expect(try await token(of: Self.orders, bench) == "named")
  }

  @Test func `of two records of one sign-in the later one's tokens of APIs are kept`() throws {
    let base = SessionRecord(session: .sample(1, receivedAt: .noon))
    var ours = base
    ours.session = .sample(2, receivedAt: .noon)
    ours.refreshes += 1
    ours.needsInteraction = true
    ours.keep(try AccessToken(Secret("orders"), receivedAt: .noon), for: Self.orders.key)
    let merged = ours.merged(with: base, since: base, at: .noon)
    #expect(merged.resourceTokens[Self.orders.key]?.value == Secret("orders") && merged.needsInteraction)
    let other = base.merged(with: ours, since: base, at: .noon)
    #expect(other.resourceTokens[Self.orders.key]?.value == Secret("orders"))
  }

  @Test func `a token that its API refuses is replaced, and no other`() async throws {
    let bench = try await bench()
    bench.provider.answerResource(try answer("bills", rotatingTo: 2, in: bench))
    _ = try await token(of: Self.bills, bench)
    bench.provider.answerResource(try answer("first", rotatingTo: 3, in: bench))
    _ = try? await token(of: Self.orders, bench)
    let first = try await bench.manager.validSession(for: Self.orders).accessToken
    bench.provider.answerResource(try answer("second", rotatingTo: 4, in: bench))
    let found = try await token(of: Self.orders, bench, rejecting: first)
    #expect(found != first.value.reveal())
    #expect(try await token(of: Self.bills, bench) == "bills")
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
  }

  @Test func `a session without a refresh token says that it gets none`() async throws {
    let bench = try await bench(canRefresh: false)
    await #expect(throws: AuthenticationError.resourceRefused) { try await token(of: Self.orders, bench) }
    #expect(bench.provider.resourceRefreshes.isEmpty)
    #expect(bench.manager.state.user == .ada)
  }

  @Test func `a resource that was not declared is refused`() async throws {
    let bench = try await bench()
    let other = ProtectedResource.resource("https://other.example.com")
    await #expect(throws: AuthenticationError.invalidConfiguration) { try await bench.manager.validSession(for: other) }
  }

  @Test func `a token that another process has received is used`() async throws {
    let bench = try await bench()
    var record = try #require(bench.store.record)
    record.keep(
      try AccessToken(Secret("theirs"), receivedAt: bench.clock.now, lifetime: .seconds(600)), for: Self.orders.key)
    record.writeID = .random()
    record.refreshes += 1
    bench.store.replace(record)
    #expect(try await token(of: Self.orders, bench) == "theirs")
    #expect(bench.provider.resourceRefreshes.isEmpty)
  }

  @Test func `a session whose refresh needs the user says so until there is a new sign-in`() async throws {
    let bench = try await bench()
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.failure(.insufficientUserAuthentication))
    await #expect(throws: AuthenticationError.insufficientUserAuthentication) { try await bench.manager.validSession() }
    #expect(bench.manager.state.activeSession?.needsInteraction == true)
    #expect(bench.manager.state.activeSession?.freshness == .stale)
    #expect(bench.store.record?.needsInteraction == true)
    bench.provider.answerResource(.failure(.unreachable))
    try await bench.signIn(as: bench.session(2))
    #expect(bench.manager.state.activeSession?.needsInteraction == false)
    #expect(bench.store.record?.needsInteraction == false)
  }

  @Test func `at most sixteen tokens are stored, the oldest goes`() throws {
    var record = SessionRecord(session: .sample(receivedAt: .noon))
    for number in 0..<20 {
      let time = Date.noon.addingTimeInterval(Double(number))
      record.keep(try AccessToken(Secret("t\(number)"), receivedAt: time, lifetime: nil), for: "r\(number)")
    }
    #expect(record.resourceTokens.count == 16)
    #expect(record.resourceTokens["r3"] == nil && record.resourceTokens["r4"] != nil)
    record.session = nil
    #expect(record.resourceTokens.isEmpty)
  }
}
