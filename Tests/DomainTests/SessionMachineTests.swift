import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

@Suite struct SessionMachineTests {
  // failure row 13
  @Test func `a token that was refused is not held against the one another process got for it`() {
    let first = AuthSession.sample(1, receivedAt: .noon)
    var machine = SessionMachine.restored(first)
    _ = machine.requestRefresh(rejected: first.accessToken)
    let second = SessionRecord(session: .sample(2, receivedAt: .noon))
    _ = machine.plainly(.storeRead(.success(second), at: .noon))
    #expect(machine.requestRefresh(remaining: .seconds(3_600)) == [.resumeWaiters(nil)])
  }

  private let ada = AuthSession.sample(1, receivedAt: .noon)
  private let grace = AuthSession.sample(2, of: .grace, receivedAt: .noon)

  // failure row 3
  @Test func `nothing is known before the store has been read`() {
    #expect(SessionMachine().state == .unknown)
  }

  // failure row 1
  @Test(arguments: [AuthenticationError.locked, .corrupt])
  func `a store that cannot be read is not an empty one`(error: AuthenticationError) {
    var machine = SessionMachine()
    #expect(machine.plainly(.storeRead(.failure(error), at: .noon)) == [.publish])
    #expect(machine.state == .unavailable(error))
    #expect(machine.plainly(.storeRead(.success(SessionRecord(session: ada)), at: .noon)) == [.publish])
    #expect(machine.state == .using(ada))
  }

  @Test func `an unchanged store changes nothing, nor does one that cannot be read again`() {
    var machine = SessionMachine.restored(ada)
    #expect(machine.plainly(.storeRead(.success(SessionRecord(session: ada)), at: .noon)) == [])
    #expect(machine.plainly(.storeRead(.failure(.locked), at: .noon)) == [])
    #expect(machine.state == .using(ada))
  }

  // origin B4
  @Test func `a session is stored before it is current`() {
    var machine = SessionMachine.restored()
    #expect(
      machine.signIn(ada) == [.save(SessionRecord(session: ada, signedInAt: .noon)), .publish, .resumeWaiters(nil)])
  }

  // failure row 10
  @Test func `a refreshed session is stored before it is current`() {
    var machine = SessionMachine.restored(ada)
    #expect(machine.requestRefresh() == [.refresh(ada, generation: 0)])
    let refreshed = AuthSession.sample(3, receivedAt: .noon)
    let effects = machine.answerRefresh(.success(refreshed.tokens), of: 0)
    #expect(effects == [.save(SessionRecord(session: refreshed).withoutIDs), .publish, .resumeWaiters(nil)])
  }

  // failure row 23
  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func `a token that a refresh leaves out stays in use`(hasRefresh: Bool, hasIdentity: Bool) {
    let old = SessionTokens(
      access: ada.accessToken, refresh: Secret("r1"), identity: Secret("i1"))
    var machine = SessionMachine.restored(AuthSession(user: .ada, tokens: old))
    _ = machine.requestRefresh()
    let answer = SessionTokens(
      access: grace.accessToken, refresh: hasRefresh ? Secret("r2") : nil,
      identity: hasIdentity ? Secret("i2") : nil)
    _ = machine.answerRefresh(.success(answer), of: 0)

    let tokens = machine.record.session?.tokens
    #expect(tokens?.access == grace.accessToken)
    #expect(tokens?.refresh == Secret(hasRefresh ? "r2" : "r1"))
    #expect(tokens?.identity == Secret(hasIdentity ? "i2" : "i1"))
  }

  // failure row 18
  @Test(arguments: [
    AuthenticationError.serverFailed, .rateLimited, .unexpectedResponse, .unreachable, .connectionLost, .timedOut,
    .responseTooLarge, .cancelled, .invalidCredentials, .invalidConfiguration, .unsupportedMethod, .sessionExpired,
    .notSignedIn, .superseded, .storageUnavailable, .storageCorrupt, .insecureConnection, .insufficientScope,
    AuthenticationError(code: "something_new", ""),
  ])
  func `no failure but a rejection ends a session`(code: AuthenticationError) {
    var machine = SessionMachine.restored(ada)
    _ = machine.requestRefresh()
    let error = AuthenticationError(code, "")
    #expect(machine.answerRefresh(.failure(error), of: 0) == [.publish, .resumeWaiters(error)])
    #expect(machine.state == .using(ada, .stale))
  }

  @Test func `a rejection ends the session, and the stored session is erased first`() {
    var machine = SessionMachine.restored(ada)
    _ = machine.requestRefresh()
    let effects = machine.answerRefresh(.failure(.sessionRejected), of: 0, remaining: .seconds(30))
    #expect(effects == [.save(SessionRecord(endReason: .rejected)), .publish, .resumeWaiters(.sessionRejected)])
    #expect(machine.state == .signedOut(.rejected))
  }

  @Test func `a token that is still valid is used on when its early refresh fails`() {
    var machine = SessionMachine.restored(ada)
    #expect(machine.requestRefresh(remaining: .seconds(60)) == [.refresh(ada, generation: 0)])
    let effects = machine.answerRefresh(.failure(.unreachable), of: 0, remaining: .milliseconds(1))
    #expect(effects == [.publish, .resumeWaiters(.unreachable, tokenIsGood: true)])
    #expect(machine.state == .using(ada, .fresh))
  }

  // failure row 25
  @Test(arguments: [(60_001, false), (60_000, true), (59_999, true), (0, true), (-1, true)])
  func `a token is refreshed from one minute before its end`(milliseconds: Int, isRefreshed: Bool) {
    var machine = SessionMachine.restored(ada)
    let effects = machine.requestRefresh(remaining: .milliseconds(milliseconds))
    #expect(effects == (isRefreshed ? [.refresh(ada, generation: 0)] : [.resumeWaiters(nil)]))
  }

  @Test func `a caller may want a token that lasts longer`() {
    var machine = SessionMachine.restored(ada)
    let effects = [299, 300, 301].map { left in
      var machine = machine
      return machine.plainly(.refreshRequested(rejected: nil, remaining: .seconds(left), wanted: .seconds(300)))
    }
    #expect(effects == [[.refresh(ada, generation: 0)], [.refresh(ada, generation: 0)], [.resumeWaiters(nil)]])
    #expect(machine.requestRefresh(remaining: nil) == [.resumeWaiters(nil)])
  }

  // failure row 31
  @Test func `a late refusal of an older token refreshes nothing`() {
    var machine = SessionMachine.restored(ada)
    #expect(machine.requestRefresh(rejected: grace.accessToken, remaining: .seconds(3_000)) == [.resumeWaiters(nil)])
    #expect((machine.usableToken() != nil))
  }

  @Test func `a refused token is returned to no caller, whichever asks for a refresh first`() {
    var machine = SessionMachine.restored(ada)
    #expect(machine.plainly(.accessTokenRefused(grace.accessToken, resource: nil)) == [])
    #expect((machine.usableToken() != nil))
    #expect(machine.plainly(.accessTokenRefused(ada.accessToken, resource: nil)) == [.publish])
    #expect(!(machine.usableToken() != nil))
    #expect(machine.plainly(.accessTokenRefused(ada.accessToken, resource: nil)) == [])
    #expect(machine.requestRefresh(remaining: .seconds(3_000)) == [.refresh(ada, generation: 0)])
  }

  @Test func `a refused token is taken back before it is refreshed`() {
    var machine = SessionMachine.restored(ada)
    let effects = machine.requestRefresh(rejected: ada.accessToken, remaining: .seconds(3_000))
    #expect(effects == [.publish, .refresh(ada, generation: 0)])
    #expect(!(machine.usableToken() != nil))
  }

  // failure row 11
  @Test func `one refresh is in flight at a time`() {
    var machine = SessionMachine.restored(ada)
    #expect(machine.requestRefresh() == [.refresh(ada, generation: 0)])
    #expect(machine.requestRefresh() == [])
    _ = machine.answerRefresh(.failure(.unreachable), of: 0)
    #expect(machine.requestRefresh() == [.refresh(ada, generation: 0)])
  }
}
