import AuthenticationDomainTesting
import Testing

@testable import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionMachine {
  /// A sign-in that may be stored: the store said that it was not, and could not be read. Answers what it would hold.
  fileprivate mutating func doubtSignIn(_ session: AuthSession) -> SessionRecord {
    _ = signIn(session)
    _ = handle(.saveDoubted)
    _ = handle(.saved(.full))
    return record
  }
}

/// What could not be saved, and what another process has stored meanwhile, become one record.
@Suite struct SessionMachineMergeTests {
  let first = AuthSession.sample(1, receivedAt: .noon)
  let orphan = PendingRevocation(tokens: .sample(7, receivedAt: .noon), queuedAt: .noon)
  let other = PendingRevocation(tokens: .sample(8, receivedAt: .noon), queuedAt: .noon)

  /// A machine of the first session, with this queue, which all is stored.
  func restored(_ queue: [PendingRevocation] = []) -> (SessionMachine, SessionRecord) {
    var machine = SessionMachine()
    let known = SessionRecord(session: first, pendingRevocations: queue)
    _ = machine.handle(.storeRead(.success(known), at: .noon))
    return (machine, known)
  }

  func stored(_ number: Int, of user: User = .ada, signedInAt: Date? = nil) -> SessionRecord {
    SessionRecord(session: .sample(number, of: user, receivedAt: .noon), signedInAt: signedInAt)
  }

  @Test func `a session lost here is a loss, whatever was queued elsewhere`() {
    var (machine, known) = restored()
    for _ in 1...2 { _ = machine.handle(.refreshBegan(generation: machine.generation, at: .noon)) }
    _ = machine.answerRefresh(.failure(.sessionRejected), of: machine.generation)
    _ = machine.handle(.saved(.full))
    var stored = known
    stored.pendingRevocations = [other]
    _ = machine.handle(.storeOvertook(stored, known: known, at: .noon))
    #expect(machine.record == SessionRecord(formerUser: .ada, pendingRevocations: [other]))
  }

  @Test func `a send that another process has journalled stays in the journal`() {
    var (machine, known) = restored()
    _ = machine.handle(.tokensOrphaned(orphan.tokens, at: .noon))
    _ = machine.handle(.saved(.full))
    var stored = known
    stored.unsettledRenewal = UnsettledRenewal(begunAt: .noon)
    _ = machine.handle(.storeOvertook(stored, known: known, at: .noon))
    #expect(machine.record.unsettledRenewal == stored.unsettledRenewal)
    #expect(machine.record.pendingRevocations == [orphan])
  }

  @Test func `tokens renewed here may belong to the session renewed elsewhere, and are not revoked`() {
    var (machine, known) = restored()
    _ = machine.requestRenewal()
    _ = machine.answerRefresh(.success(.sample(2, receivedAt: .noon)), of: machine.generation)
    _ = machine.handle(.saved(.full))
    _ = machine.handle(.storeOvertook(stored(3), known: known, at: .noon))
    #expect(machine.record == stored(3))
  }

  @Test func `what another process has delivered is not queued again`() {
    var (machine, known) = restored([orphan])
    _ = machine.handle(.tokensOrphaned(other.tokens, at: .noon))
    _ = machine.handle(.saved(.full))
    var stored = known
    stored.pendingRevocations = []
    _ = machine.handle(.storeOvertook(stored, known: known, at: .noon))
    #expect(machine.record.pendingRevocations == [other])
  }

  @Test(arguments: [AuthenticationError?.none, .sessionRejected])
  func `a revocation that was answered here is not brought back by what another process stored`(
    failure: AuthenticationError?
  ) {
    var (machine, known) = restored([orphan])
    _ = machine.handle(.revocationAnswered(orphan, failure))
    _ = machine.handle(.saved(.full))
    var stored = known
    stored.pendingRevocations = [orphan, other]
    _ = machine.handle(.storeOvertook(stored, known: known, at: .noon))
    #expect(machine.record.pendingRevocations == [other])
  }

  @Test func `what another process has queued as well is queued once`() {
    var (machine, known) = restored()
    _ = machine.handle(.tokensOrphaned(orphan.tokens, at: .noon))
    _ = machine.handle(.saved(.full))
    var stored = known
    stored.pendingRevocations = [orphan, other]
    _ = machine.handle(.storeOvertook(stored, known: known, at: .noon))
    #expect(machine.record.pendingRevocations == [orphan, other])
  }

  @Test func `a sign-in that gave way gives the renewals after it no precedence`() {
    var (machine, known) = restored()
    _ = machine.signIn(.sample(2, receivedAt: .noon))
    _ = machine.handle(.saved(.full))
    let adopted = stored(5, of: .grace)
    _ = machine.handle(.storeOvertook(adopted, known: known, at: .noon))
    _ = machine.handle(.saved(.full))
    _ = machine.requestRenewal()
    _ = machine.answerRefresh(.success(.sample(6, receivedAt: .noon)), of: machine.generation)
    _ = machine.handle(.saved(.full))
    _ = machine.handle(.storeOvertook(stored(7, of: .grace), known: adopted, at: .noon))
    #expect(machine.record.session == stored(7, of: .grace).session)
  }

  @Test func `a sign-in that was saved gives the renewals after it no precedence`() {
    var (machine, _) = restored()
    _ = machine.signIn(.sample(2, receivedAt: .noon))
    let known = machine.record
    _ = machine.handle(.saved(nil))
    _ = machine.requestRenewal()
    _ = machine.answerRefresh(.success(.sample(3, receivedAt: .noon)), of: machine.generation)
    _ = machine.handle(.saved(.full))
    _ = machine.handle(.storeOvertook(stored(4), known: known, at: .noon))
    #expect(machine.record.session == stored(4).session)
  }

  @Test func `a sign-in that was found stored, and stored again in vain, is not revoked once it was renewed elsewhere`()
  {
    var machine = SessionMachine()
    _ = machine.handle(.storeRead(.success(nil), at: .noon))
    let tried = machine.doubtSignIn(.sample(2, receivedAt: .noon))
    #expect(
      machine.handle(.storeOvertook(tried, known: SessionRecord(), doubtful: tried, at: .noon)) == [.save(tried)])
    _ = machine.handle(.saveDoubted)
    _ = machine.handle(.saved(.full))
    let renewed = stored(3, signedInAt: tried.signedInAt)
    _ = machine.handle(.storeOvertook(renewed, known: tried, doubtful: tried, at: .noon))
    #expect(machine.record == renewed)
  }

  @Test func `a sign-in that was not stored stands, whatever was queued elsewhere for the same person`() {
    var (machine, known) = restored()
    _ = machine.signIn(.sample(2, receivedAt: .noon))
    let doubtful = machine.record
    _ = machine.handle(.saved(.full))
    var stored = known
    stored.pendingRevocations = [PendingRevocation(tokens: other.tokens, queuedAt: .noon, userID: User.ada.id)]
    _ = machine.handle(.storeOvertook(stored, known: known, doubtful: doubtful, at: .noon))
    #expect(machine.record.session == doubtful.session)
  }

  @Test func `a sign-in that is given up for a sign-out elsewhere is revoked`() {
    var (machine, known) = restored()
    _ = machine.signIn(.sample(2, of: .grace, receivedAt: .noon))
    let doubtful = machine.record
    _ = machine.handle(.saved(.full))
    _ = machine.handle(.storeOvertook(SessionRecord(), known: known, doubtful: doubtful, at: .noon))
    #expect(machine.record.session == nil)
    #expect(machine.record.pendingRevocations.contains { $0.userID == User.grace.id })
  }

  // The provider has heard of the session in between: nothing else is left of it.
  @Test(arguments: [nil, .noon] as [Date?])
  func `a sign-in that may be stored does not come back over a later one of the person before`(first: Date?) {
    var (machine, known) = restored()
    known.signedInAt = first
    let doubtful = machine.doubtSignIn(.sample(2, of: .grace, receivedAt: .noon))
    let later = stored(3, signedInAt: .noon + 60)
    _ = machine.handle(.storeOvertook(later, known: known, doubtful: doubtful, at: .noon))
    #expect(machine.record.session == later.session)
    #expect(machine.record.signedInAt == later.signedInAt)
    #expect(machine.record.pendingRevocations.contains { $0.userID == User.grace.id })
  }

  // Some providers give every sign-in of a person the same refresh token.
  @Test func `what the session that stands still needs is not revoked`() {
    var (machine, known) = restored()
    known.signedInAt = .noon - 60
    let doubtful = machine.doubtSignIn(.sample(2, receivedAt: .noon))
    let same = SessionTokens(
      access: SessionTokens.sample(3, receivedAt: .noon).access, refresh: doubtful.session?.tokens.refresh)
    let later = SessionRecord(session: AuthSession(user: .ada, tokens: same), signedInAt: .noon + 60)
    _ = machine.handle(.storeOvertook(later, known: known, doubtful: doubtful, at: .noon))
    #expect(machine.record.session == later.session)
    #expect(!machine.record.pendingRevocations.contains { $0.tokens.refresh == same.refresh })
  }

  @Test func `a sign-in that may be stored yields to a renewal without a date, which may be its own`() {
    var (machine, known) = restored()
    known.signedInAt = .noon - 60
    let doubtful = machine.doubtSignIn(.sample(2, receivedAt: .noon))
    _ = machine.handle(.storeOvertook(stored(3), known: known, doubtful: doubtful, at: .noon))
    #expect(machine.record.session == stored(3).session)
    #expect(!machine.record.pendingRevocations.contains { $0.tokens == doubtful.session?.tokens })
  }

  @Test func `a sign-in that was not stored stands over the session before, whoever has written that again`() {
    var (machine, known) = restored()
    let doubtful = machine.doubtSignIn(.sample(2, receivedAt: .noon))
    let again = SessionRecord(session: first, signedInAt: .noon - 60)
    _ = machine.handle(.storeOvertook(again, known: known, doubtful: doubtful, at: .noon))
    #expect(machine.record.session == doubtful.session)
    #expect(machine.record.signedInAt == doubtful.signedInAt)
  }

  @Test(arguments: [nil, .noon, .noon + 60] as [Date?])
  func `a sign-out that could not be stored ends what that person has elsewhere`(renewed: Date?) {
    var (machine, known) = restored()
    known.signedInAt = .noon
    _ = machine.handle(.signOutRequested(revoking: true, at: .noon))
    _ = machine.handle(.saved(.full))
    _ = machine.handle(.storeOvertook(stored(3, signedInAt: renewed), known: known, at: .noon))
    #expect(machine.record.session == nil)
    #expect(machine.record.signedInAt == nil)
  }

  @Test func `a store that is read again does not replace what it does not hold yet`() {
    var (machine, known) = restored()
    _ = machine.signIn(.sample(2, receivedAt: .noon))
    _ = machine.handle(.saved(.full))
    #expect(machine.handle(.storeReadAgain(known, at: .noon)) == [])
    #expect(machine.record.session == stored(2).session)
  }

  @Test func `a revocation counted anew here, and delivered elsewhere, is not queued again`() {
    let ahead = PendingRevocation(tokens: orphan.tokens, queuedAt: .noon + 60)
    var (machine, known) = restored([ahead])
    _ = machine.handle(.revocationStarted(ahead, at: .noon))
    _ = machine.handle(.saved(.full))
    _ = machine.handle(.storeOvertook(SessionRecord(session: first), known: known, at: .noon))
    #expect(machine.record == SessionRecord(session: first))
  }
}
