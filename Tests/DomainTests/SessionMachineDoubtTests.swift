import AuthenticationDomainTesting
import Testing
import Foundation

@testable import AuthenticationDomain

/// Whether a failed save took effect, where the store could not be read, is decided by a later read. // failure row 9
@Suite struct SessionMachineDoubtTests {
  let session = AuthSession.sample(1, receivedAt: .noon)
  let lost = AuthenticationError(.connectionLost, "Lost.")

  /// A machine whose token is about to be sent a second time, which it could not store.
  func sendingAgain() -> (SessionMachine, known: SessionRecord, doubtful: SessionRecord) {
    var machine = SessionMachine.restored(session)
    _ = machine.requestRefresh()
    _ = machine.plainly(.refreshBegan(generation: machine.generation, at: .noon))
    let known = machine.record
    _ = machine.plainly(.saved)
    _ = machine.answerRefresh(.failure(lost), of: machine.generation)
    _ = machine.plainly(.refreshBegan(generation: machine.generation, at: .noon))
    let doubtful = machine.record
    _ = machine.plainly(.saveFailed(.full, found: nil))
    return (machine, known, doubtful)
  }

  // failure row 16
  @Test func `a send that the journal could not count is not taken off it`() {
    var (machine, known, _) = sendingAgain()
    #expect(machine.plainly(.storeRead(.success(known), at: .noon)) == [])
    _ = machine.answerRefresh(.failure(.unreachable), of: machine.generation)
    #expect(machine.record.refreshJournal?.sends == 1)
  }

  @Test func `a save that is found where it was to be is saved again, so that it lasts`() {
    var (machine, _, doubtful) = sendingAgain()
    #expect(machine.plainly(.storeRead(.success(doubtful), at: .noon)) == [])
    #expect(machine.state.activeSession?.unsaved == .full)
    #expect(machine.plainly(.saveRetried).map(\.isSave) == [true])
    #expect(machine.plainly(.saved) == [.publish])
    #expect(machine.state.activeSession?.unsaved == nil)
  }

  // failure row 16
  @Test(arguments: [false, true], [nil, "Countess"])
  func `a journal that was stored after all is not taken for another process's`(isFound: Bool, news: String?) {
    var (machine, _, doubtful) = sendingAgain()
    if isFound { _ = machine.plainly(.saveFailed(.full, found: doubtful)) }
    _ = machine.handle(.storeBlocked(.locked))
    _ = machine.answerRefresh(.failure(.unreachable), of: machine.generation)
    _ = machine.handle(.storeBlocked(nil))
    if let news {
      // Another process has learnt of a new name since.
      let tokens = doubtful.session?.tokens ?? session.tokens
      doubtful.session = AuthSession(user: User(id: session.user.id, name: news), tokens: tokens)
      doubtful.writeID = RecordID("news")
    }
    _ = machine.plainly(.storeRead(.success(doubtful), at: .noon))
    #expect(machine.record.refreshJournal?.sends == 1)
  }

  // failure row 16
  @Test func `a journal tells since when a token is in doubt`() {
    var machine = SessionMachine.restored(session)
    _ = machine.plainly(.refreshBegan(generation: machine.generation, at: .noon))
    _ = machine.plainly(.refreshBegan(generation: machine.generation, at: .noon + 60))
    #expect(machine.record.refreshJournal == RefreshJournalEntry(begunAt: .noon, sends: 2))
  }

  @Test func `a refusal leaves no journal behind`() {
    var machine = SessionMachine.restored(session)
    _ = machine.plainly(.refreshBegan(generation: machine.generation, at: .noon))
    let effects = machine.answerRefresh(.failure(.sessionRejected), of: machine.generation)
    #expect(effects.first == .save(SessionRecord(endReason: .rejected)))
  }

  @Test func `a refusal that could not be stored stands over the session that is stored still`() {
    var machine = SessionMachine.restored(session)
    _ = machine.requestRefresh()
    var stored = machine.record
    _ = machine.answerRefresh(.failure(.sessionRejected), of: machine.generation)
    _ = machine.plainly(.saveFailed(.full, found: nil))
    stored.pendingRevocations = [PendingRevocation(tokens: .sample(7, receivedAt: .noon), queuedAt: .noon)]
    _ = machine.plainly(.storeRead(.success(stored), at: .noon))
    #expect(machine.state == .signedOut(.rejected))
    #expect(machine.record.pendingRevocations == stored.pendingRevocations)
  }

  @Test func `a sign-in that may have been stored does not outlive the deletion of the store`() {
    var machine = SessionMachine.restored(session)
    _ = machine.signIn(.sample(2, receivedAt: .noon))
    _ = machine.plainly(.saveFailed(.full, found: nil))
    _ = machine.plainly(.storeRead(.success(nil), at: .noon))
    #expect(machine.state == .signedOut(.elsewhere))
    let lost = AuthSession.sample(2, receivedAt: .noon).accessToken
    #expect(machine.record.pendingRevocations.map(\.tokens.access).contains(lost))
  }

  @Test func `a sign-in that is known not to be stored outlives the deletion of the session before it`() {
    var machine = SessionMachine.restored(session)
    let known = machine.record
    _ = machine.signIn(.sample(2, receivedAt: .noon))
    _ = machine.plainly(.saveFailed(.full, found: known))
    _ = machine.plainly(.storeRead(.success(nil), at: .noon))
    #expect(machine.state.activeSession?.session == .sample(2, receivedAt: .noon))
  }

  @Test func `a failed refresh of an earlier session touches neither the next one nor its refresh`() {
    var machine = SessionMachine.restored(session)
    _ = machine.requestRefresh()
    let earlier = machine.generation
    _ = machine.signIn(.sample(2, receivedAt: .noon))
    _ = machine.requestRefresh()
    #expect(machine.plainly(.refreshFailed(generation: earlier, .locked, remaining: .zero)) == [])
    #expect(machine.state == .using(.sample(2, receivedAt: .noon)))
    // One refresh is in flight: another request joins it.
    #expect(machine.requestRefresh() == [])
  }

  @Test func `a failed refresh says whether the token is still good`() {
    var machine = SessionMachine.restored(session)
    _ = machine.plainly(.refreshRequested(rejected: nil, remaining: .seconds(90), wanted: .seconds(120)))
    let effects = machine.answerRefresh(.failure(.unreachable), of: machine.generation, remaining: .seconds(90))
    #expect(effects.contains(.resumeWaiters(.unreachable, tokenIsGood: true)))
  }

  @Test func `a refresh that succeeds delivers the pending revocations`() {
    var machine = SessionMachine.restored(session)
    _ = machine.plainly(.tokensOrphaned(.sample(7, receivedAt: .noon), userID: nil, at: .noon))
    _ = machine.requestRefresh()
    let effects = machine.answerRefresh(.success(.sample(2, receivedAt: .noon)), of: machine.generation)
    #expect(effects.last == .deliverRevocations)
  }

  @Test func `a session without a refresh token is used to its end, however much is wanted`() {
    var machine = SessionMachine.restored(.sample(1, receivedAt: .noon, canRefresh: false))
    #expect(machine.requestRefresh(remaining: .seconds(1)) == [.resumeWaiters(nil)])
  }
}
