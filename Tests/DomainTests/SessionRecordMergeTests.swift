import AuthenticationDomainTesting
import Testing
import Foundation

@testable import AuthenticationDomain

/// The rows of ``SessionRecord/merged(with:since:at:)``, by name. // failure rows 1, 9
@Suite struct SessionRecordMergeTests {
  let base = SessionRecord.of("a", 1)
  let queued = PendingRevocation(tokens: .sample(7, receivedAt: .noon), queuedAt: .noon)
  let other = PendingRevocation(tokens: .sample(8, receivedAt: .noon), queuedAt: .noon)

  func merge(_ ours: SessionRecord, _ stored: SessionRecord, since base: SessionRecord? = nil) -> SessionRecord {
    ours.merged(with: stored, since: base ?? self.base, at: .noon)
  }

  // MARK: One sign-in

  @Test func `a refresh that was not stored is stored`() {
    let ours = base.refreshed(to: 2)
    var stored = base
    stored.pendingRevocations = [other]
    let merged = merge(ours, stored)
    #expect(merged.session == ours.session)
    #expect(merged.refreshes == 1)
    #expect(merged.pendingRevocations == [other])
  }

  @Test func `of two refreshes of one sign-in the later one stands, and nothing is revoked`() {
    let (once, twice) = (base.refreshed(to: 2), base.refreshed(to: 3).refreshed(to: 4))
    #expect(merge(once, twice) == twice)
    #expect(merge(twice, once) == twice)
  }

  @Test func `of two first refreshes of one sign-in the stored one stands, and nothing is revoked`() {
    #expect(merge(base.refreshed(to: 2), base.refreshed(to: 3)) == base.refreshed(to: 3))
  }

  @Test func `a refresh that another process has journalled stays in the journal`() {
    var (ours, stored) = (base, base)
    ours.pendingRevocations = [queued]
    stored.refreshJournal = RefreshJournalEntry(begunAt: .noon)
    #expect(merge(ours, stored).refreshJournal == stored.refreshJournal)
    #expect(merge(ours, stored).pendingRevocations == [queued])
  }

  @Test func `a refresh that was journalled here stays in the journal`() {
    var (ours, stored) = (base, base)
    ours.refreshJournal = RefreshJournalEntry(begunAt: .noon)
    stored.pendingRevocations = [other]
    #expect(merge(ours, stored).refreshJournal == ours.refreshJournal)
  }

  @Test func `a journal is over once the token was refreshed`() {
    var stored = base
    stored.refreshJournal = RefreshJournalEntry(begunAt: .noon)
    #expect(merge(base.refreshed(to: 2), stored).refreshJournal == nil)
  }

  // MARK: An end

  @Test func `a sign-in that ended elsewhere does not return, and its refreshed tokens are revoked`() {
    let ours = base.refreshed(to: 2)
    let merged = merge(ours, base.signedOut())
    #expect(merged.session == nil)
    #expect(merged.pendingRevocations.map(\.tokens.access) == [base, ours].map { $0.session?.accessToken })
  }

  @Test func `a new sign-in that was stored after all, and ended elsewhere, does not return`() {
    let tried = base.signedIn("b", 2)
    #expect(merge(tried, tried.signedOut()).session == nil)
    #expect(merge(tried.refreshed(to: 3), tried.signedOut()).session == nil)
  }

  @Test func `a sign-in that ended here ends in the store, and the tokens refreshed there are revoked`() {
    let stored = base.refreshed(to: 2)
    let merged = merge(base.signedOut(), stored)
    #expect(merged.session == nil)
    #expect(merged.pendingRevocations.contains { $0.tokens.access == stored.session?.accessToken })
  }

  @Test func `a session that the provider refused here is over, unless another process has refreshed it since`() {
    #expect(merge(base.refused(), base).session == nil)
    let refreshed = base.refreshed(to: 2)
    let merged = merge(base.refused(), refreshed)
    #expect(merged.session == refreshed.session)
    #expect(!merged.hasEnded("a"))
    #expect(merged.pendingRevocations.isEmpty)
  }

  @Test func `a session that the provider refused elsewhere does not return`() {
    #expect(merge(base.refreshed(to: 2), base.refused()).session == nil)
  }

  @Test func `a session lost here is a loss, whatever was queued elsewhere`() {
    var ours = base.refused()
    ours.formerUser = .ada
    var stored = base
    stored.pendingRevocations = [other]
    let merged = merge(ours, stored)
    #expect(merged.formerUser == .ada)
    #expect(merged.pendingRevocations == [other])
  }

  @Test(arguments: [true, false])
  func `a sign-out without a user forgets the user who lost a session, on either side`(isOurs: Bool) {
    var lost = base.refused()
    lost.formerUser = .ada
    var forgotten = lost
    forgotten.formerUser = nil
    let merged = isOurs ? merge(forgotten, lost, since: lost) : merge(lost, forgotten, since: lost)
    #expect(merged.formerUser == nil)
  }

  // MARK: Two sign-ins

  @Test func `a sign-in that has not been stored is stored where no user is signed in`() {
    let ours = SessionRecord().signedIn("b", 2)
    #expect(merge(ours, base.signedOut()).session == ours.session)
  }

  @Test func `a sign-in that was stored does not return where no user is signed in, noted or not`() {
    var (ours, stored) = (base.refreshed(to: 2), base.signedOut())
    stored.endedSignIns = []
    #expect(merge(ours, stored).session == nil)
    #expect(merge(ours, stored).pendingRevocations.contains { $0.tokens.access == ours.session?.accessToken })
    ours = base
    ours.pendingRevocations = [queued]
    #expect(merge(ours, stored).session == nil)
  }

  @Test func `a sign-in here stands over a refresh of the one before`() {
    let (ours, stored) = (base.signedIn("b", 2), base.refreshed(to: 3))
    let merged = merge(ours, stored)
    #expect(merged.session == ours.session)
    #expect(merged.pendingRevocations.contains { $0.tokens.access == stored.session?.accessToken })
  }

  @Test func `a sign-in elsewhere stands over a refresh of the one before`() {
    let (ours, stored) = (base.refreshed(to: 3), base.signedIn("b", 2))
    let merged = merge(ours, stored)
    #expect(merged.session == stored.session)
    #expect(merged.pendingRevocations.contains { $0.tokens.access == ours.session?.accessToken })
  }

  @Test func `a sign-in elsewhere stands over a refresh of one that the provider refused there`() {
    let (ours, stored) = (base.refreshed(to: 3), SessionRecord().signedIn("b", 2, at: .noon - 3_600))
    #expect(merge(ours, stored).session == stored.session)
  }

  @Test(arguments: [-60.0, 60])
  func `of two new sign-ins the later one stands, and the other one is revoked`(seconds: Double) {
    let ours = base.signedIn("b", 2)
    let stored = base.signedIn("c", 3, at: .noon + seconds)
    let merged = merge(ours, stored)
    let (winner, loser) = seconds > 0 ? (stored, ours) : (ours, stored)
    #expect(merged.session == winner.session)
    #expect(merged.hasEnded(loser.signInID))
    #expect(merged.pendingRevocations.contains { $0.tokens.access == loser.session?.accessToken })
  }

  @Test(arguments: [Date.noon, nil])
  func `of two new sign-ins that no date tells apart one's own stands`(date: Date?) {
    let ours = base.signedIn("b", 2)
    var stored = base.signedIn("c", 3)
    stored.signedInAt = date
    let merged = merge(ours, stored)
    #expect(merged.session == ours.session)
    #expect(merged.hasEnded("c"))
  }

  @Test func `a sign-in over a store that could not be read revokes the session that it finds there`() {
    let ours = SessionRecord().signedIn("b", 2)
    let stored = SessionRecord.of("a", 1, at: .noon - 60)
    let merged = merge(ours, stored, since: SessionRecord())
    #expect(merged.session == ours.session)
    #expect(merged.pendingRevocations.map(\.tokens.access) == [stored.session?.accessToken])
  }

  // Some providers give every sign-in of a user the same refresh token.
  @Test func `a refresh token that the remaining session still needs is not revoked`() throws {
    let ours = base.signedIn("b", 2)
    var stored = base.signedIn("c", 3, at: .noon + 60)
    let access = try #require(stored.session?.accessToken)
    let same = SessionTokens(access: access, refresh: ours.session?.tokens.refresh)
    stored.session = AuthSession(user: .ada, tokens: same)
    #expect(!merge(ours, stored).pendingRevocations.contains { $0.tokens.refresh == same.refresh })
  }

  // MARK: The queue of revocations

  @Test func `a revocation delivered on either side is not queued again, and one queued on both is queued once`() {
    var known = base
    known.pendingRevocations = [queued]
    var (delivered, both) = (base, known)
    delivered.pendingRevocations = [other]
    both.pendingRevocations = [queued, other]
    #expect(merge(delivered, known, since: known).pendingRevocations == [other])
    #expect(merge(known, delivered, since: known).pendingRevocations == [other])
    #expect(merge(both, delivered, since: known).pendingRevocations == [other])
  }

  @Test func `a revocation counted anew here, and delivered elsewhere, is not queued again`() {
    var (known, ours) = (base, base)
    known.pendingRevocations = [PendingRevocation(tokens: queued.tokens, queuedAt: .noon + 60)]
    ours.pendingRevocations = [queued]
    #expect(merge(ours, base, since: known).pendingRevocations.isEmpty)
  }
}
