import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

@Suite struct SessionMachineSignOutTests {
  private let ada = AuthSession.sample(1, receivedAt: .noon)
  private let grace = AuthSession.sample(2, of: .grace, receivedAt: .noon)
  private var revocation: PendingRevocation {
    PendingRevocation(tokens: ada.tokens, queuedAt: .noon, userID: ada.user.id)
  }

  // failure row 33
  @Test func `a sign-out erases the session and queues its revocation in one write`() {
    var machine = SessionMachine.restored(ada)
    let effects = machine.plainly(.signOutRequested(revoking: true, at: .noon))
    #expect(
      effects == [
        .save(SessionRecord(endReason: .requested, pendingRevocations: [revocation])), .publish,
        .resumeWaiters(.notSignedIn),
        .deliverRevocations,
      ])
    #expect(machine.state == .signedOut(.requested))
  }

  @Test func `a silent sign-out leaves nothing behind but its reason`() {
    var machine = SessionMachine.restored()
    _ = machine.signIn(ada)
    let effects = machine.plainly(.signOutRequested(revoking: false, at: .noon))
    #expect(effects == [.save(SessionRecord(endReason: .requested)), .publish, .resumeWaiters(.notSignedIn)])
  }

  @Test func `a record without a session knows of no sign-in`() {
    var record = SessionRecord(session: ada, signedInAt: .noon)
    record.session = nil
    #expect(record == SessionRecord())
    #expect(SessionRecord(signedInAt: .noon) == SessionRecord())
  }

  @Test func `the ID token, with which a whole sign-in can be ended, goes along with a sign-out only`() throws {
    let identified = { (session: AuthSession) in
      AuthSession(
        user: session.user,
        tokens: SessionTokens(
          access: session.accessToken, refresh: session.tokens.refresh,
          identity: Secret("identity")))
    }
    var machine = SessionMachine.restored(identified(ada))
    _ = machine.signIn(identified(.sample(3, receivedAt: .noon)))
    #expect(machine.record.pendingRevocations == [revocation])
    _ = machine.plainly(.tokensOrphaned(identified(grace).tokens, userID: nil, at: .noon))
    #expect(machine.record.pendingRevocations.last?.tokens == grace.tokens)
    _ = machine.plainly(.signOutRequested(revoking: true, at: .noon))
    #expect(machine.record.pendingRevocations.last?.tokens.identity == Secret("identity"))
  }

  // failure row 1
  @Test func `no user is signed out by a store that cannot be read`() {
    var machine = SessionMachine()
    _ = machine.plainly(.storeRead(.failure(.locked), at: .noon))
    #expect(machine.plainly(.signOutRequested(revoking: true, at: .noon)) == [])
    #expect(machine.state == .unavailable(.locked))
  }

  // failure row 20
  @Test func `tokens that come after the sign-out are revoked, not used`() {
    var machine = SessionMachine.restored(ada)
    _ = machine.requestRefresh()
    _ = machine.plainly(.signOutRequested(revoking: false, at: .noon))
    let late = AuthSession.sample(3, receivedAt: .noon).tokens
    let queue = SessionRecord(
      endReason: .requested, pendingRevocations: [PendingRevocation(tokens: late, queuedAt: .noon, userID: "ada")])
    #expect(machine.answerRefresh(.success(late), of: 0) == [.save(queue), .deliverRevocations])
    #expect(machine.state == .signedOut(.requested))
  }

  // failure row 21
  @Test(arguments: [AuthenticationError.sessionRejected, .unreachable])
  func `an old refresh's failure does not touch the next session`(error: AuthenticationError) {
    var machine = SessionMachine.restored(ada)
    _ = machine.requestRefresh()
    _ = machine.signIn(grace)
    #expect(machine.answerRefresh(.failure(error), of: 0) == [])
    #expect(machine.state == .using(grace))
  }

  // failure row 22
  @Test func `the next session is refreshed while the old refresh still runs`() {
    var machine = SessionMachine.restored(ada)
    _ = machine.requestRefresh()
    _ = machine.signIn(grace)
    #expect(machine.requestRefresh() == [.refresh(grace, generation: 1)])
    _ = machine.answerRefresh(.failure(.unreachable), of: 0)
    #expect(machine.requestRefresh() == [])
  }

  @Test(arguments: [AuthenticationError?.none, .sessionRejected, .invalidCredentials, .unsupportedMethod(.phoneCode)])
  func `a revocation that was delivered, or never will be, leaves the queue`(failure: AuthenticationError?) {
    var machine = SessionMachine.restored(ada)
    _ = machine.plainly(.signOutRequested(revoking: true, at: .noon))
    let effects = machine.plainly(.revocationCompleted(revocation, failure))
    #expect(effects == [.save(SessionRecord(endReason: .requested))])
    #expect(machine.plainly(.revocationCompleted(revocation, failure)) == [])
  }

  @Test(arguments: [AuthenticationError.unreachable, .serverFailed, .timedOut, .rateLimited, .connectionLost])
  func `a revocation stays in the queue during an outage`(code: AuthenticationError) {
    var machine = SessionMachine.restored(ada)
    _ = machine.plainly(.signOutRequested(revoking: true, at: .noon))
    #expect(machine.plainly(.revocationCompleted(revocation, AuthenticationError(code, ""))) == [])
    #expect(machine.record.pendingRevocations == [revocation])
  }

  @Test func `a revocation that is thirty days old is erased before it is sent a last time`() {
    let thirtyDays = Date.noon + 2_592_000
    var machine = SessionMachine()
    _ = machine.plainly(.storeRead(.success(SessionRecord(pendingRevocations: [revocation])), at: thirtyDays + 1))
    #expect(machine.plainly(.revocationStarted(revocation, at: thirtyDays)) == [])
    #expect(machine.record.pendingRevocations == [revocation])
    #expect(machine.plainly(.revocationStarted(revocation, at: thirtyDays + 1)) == [.save(SessionRecord())])
    #expect(machine.plainly(.revocationCompleted(revocation, .unreachable)) == [])
  }

  @Test func `the thirty days of a revocation that was queued by a clock ahead begin when it is first sent`() {
    let counted = PendingRevocation(tokens: ada.tokens, queuedAt: .noon - 60, userID: ada.user.id)
    var machine = SessionMachine()
    _ = machine.plainly(.storeRead(.success(SessionRecord(pendingRevocations: [revocation])), at: .noon - 60))
    #expect(
      machine.plainly(.revocationStarted(revocation, at: .noon - 60))
        == [.save(SessionRecord(pendingRevocations: [counted]))])
    #expect(machine.plainly(.revocationStarted(counted, at: .noon - 60)) == [])
    #expect(machine.plainly(.revocationCompleted(revocation, nil)) == [.save(SessionRecord())])
  }

  @Test func `tokens orphaned while the store was locked are queued in it once it opens`() {
    var machine = SessionMachine()
    _ = machine.plainly(.storeRead(.failure(.locked), at: .noon))
    #expect(machine.plainly(.tokensOrphaned(ada.tokens, userID: nil, at: .noon)) == [.deliverRevocations])
    let orphan = PendingRevocation(tokens: ada.tokens, queuedAt: .noon)
    let merged = SessionRecord(session: grace, pendingRevocations: [orphan])
    let effects = machine.plainly(.storeRead(.success(SessionRecord(session: grace)), at: .noon))
    #expect(effects == [.save(merged), .publish, .deliverRevocations])
  }

  // failure row 9
  @Test func `a save that failed is tried again, and the state says so until it succeeds`() {
    var machine = SessionMachine.restored()
    _ = machine.signIn(ada)
    #expect(machine.plainly(.saveFailed(.full, found: nil)) == [.publish, .retrySave])
    #expect(machine.state == .using(ada, unsaved: .full))
    #expect(machine.plainly(.saved) == [.publish])
    #expect(machine.state == .using(ada))
    #expect(machine.plainly(.saved) == [])
  }

  @Test func `a user who did not unlock the store is not asked again and again`() {
    var machine = SessionMachine.restored()
    _ = machine.signIn(ada)
    #expect(machine.plainly(.saveFailed(.userPresenceRequired, found: nil)) == [.publish])
    #expect(machine.state == .using(ada, unsaved: .userPresenceRequired))
  }
}
