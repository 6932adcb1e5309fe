import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// A resource that refuses one token after another.
@Suite(.timeLimit(.minutes(10))) struct AuthManagerRefreshCooldownTests {
  let bench = Bench()

  /// A caller to whom a resource has refused the token with this number is given the next one.
  private func isRefreshed(_ number: Int) async throws -> Bool {
    bench.provider.answerRefresh(.success(bench.tokens(number + 1)))
    let refreshed = try await bench.manager.validSession(rejecting: current(number))
    return refreshed.accessToken.value == Secret("access-\(number + 1)")
  }

  /// A caller to whom a resource has refused the token with this number is told so; the others keep it.
  private func isLatched(_ number: Int) async throws -> Bool {
    let error = await #expect(throws: AuthenticationError.self) {
      try await bench.manager.validSession(rejecting: current(number))
    }
    return error == .accessTokenRefused
  }

  private func current(_ number: Int) async throws(AuthenticationError) -> AccessToken {
    let token = try await bench.manager.validSession().accessToken
    #expect(token.value == Secret("access-\(number)"))
    return token
  }

  // failure row 29
  @Test func `a resource that refuses every token costs one refresh in ten seconds, not one for each call`()
    async throws
  {
    try await bench.signIn(as: bench.session(1))
    #expect(try await isRefreshed(1))
    for _ in 0..<100 { #expect(try await isLatched(2)) }
    bench.clock.advance(by: .milliseconds(9_999))
    #expect(try await isLatched(2))
    #expect(bench.refreshes == 1)
    bench.clock.advance(by: .milliseconds(1))
    #expect(try await isRefreshed(2))
    #expect(bench.refreshes == 2)
  }

  // failure row 31
  @Test func `a late refusal of the token before is answered with the new one`() async throws {
    try await bench.signIn(as: bench.session(1))
    let old = try await current(1)
    #expect(try await isRefreshed(1))
    #expect(try await bench.manager.validSession(rejecting: old).accessToken == current(2))
  }

  // failure row 29
  @Test func `the longer it goes on the longer nothing is refreshed, up to five minutes`() async throws {
    try await bench.signIn(as: bench.session(1))
    #expect(try await isRefreshed(1))
    for (number, window) in zip(2..., [10, 20, 40, 80, 160, 300, 300]) {
      bench.clock.advance(by: .milliseconds(window * 1_000 - 1))
      #expect(try await isLatched(number))
      bench.clock.advance(by: .milliseconds(1))
      #expect(try await isRefreshed(number))
    }
  }

  @Test(arguments: [10, 180, 3_000]) func `a token that is taken back later is refreshed as ever`(age: Int) async throws
  {
    try await bench.signIn(as: bench.session(1))
    #expect(try await isRefreshed(1))
    bench.clock.advance(by: .seconds(age))
    #expect(try await isRefreshed(2))
  }

  @Test func `an old refusal is forgotten when tokens have lasted since`() async throws {
    try await bench.signIn(as: bench.session(1))
    #expect(try await isRefreshed(1))
    bench.clock.advance(by: .seconds(20))
    #expect(try await isRefreshed(2))
    bench.clock.advance(by: .seconds(10))
    #expect(try await isRefreshed(3))
  }

  @Test func `a token refreshed for its age is not suspected`() async throws {
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_540))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    _ = try await bench.manager.validSession()
    #expect(try await isRefreshed(2))
  }

  @Test func `a new sign-in is not suspected for a refusal in the last session`() async throws {
    try await bench.signIn(as: bench.session(1))
    #expect(try await isRefreshed(1))
    try await bench.signIn(as: bench.session(5))
    #expect(try await isRefreshed(5))
  }

  @Test func `a user who signs in again while a token is refused is not suspected`() async throws {
    let refused = bench.session(1)
    try await bench.signIn(as: refused)
    bench.provider.answerRefresh(.failure(.unreachable))
    _ = try? await bench.manager.validSession(rejecting: refused.accessToken)
    try await bench.signIn(as: bench.session(5))
    #expect(try await isRefreshed(5))
  }

  @Test func `the provider's own refusal is no resource's, and always counts`() async throws {
    try await bench.signIn(as: bench.session(1))
    #expect(try await isRefreshed(1))
    bench.provider.answerValidity(.success(false))
    bench.provider.answerRefresh(.failure(.sessionRejected))
    #expect(try await !bench.manager.isValid())
    #expect(bench.manager.state == .signedOut(.rejected))
  }
}
