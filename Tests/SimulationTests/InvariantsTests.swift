import AuthenticationDomain
import Testing

@testable import Simulation

/// The checks themselves: each fails once the forbidden event has happened, and not before.
@Suite struct InvariantsTests {
  let first = TokenSet(family: 0, rotation: 0)
  let second = TokenSet(family: 0, rotation: 1)
  let other = TokenSet(family: 1, rotation: 0)

  /// Two managers in two processes, of which one has stored a session of A.
  func signedIn(grace: Duration = .zero) -> Invariants {
    var invariants = Invariants(grace: grace)
    invariants.began(0, "m0")
    invariants.began(1, "m1")
    invariants.issued(0, to: "A", for: 0)
    invariants.issued(1, to: "B", for: 1)
    invariants.wrote(stored(first, "A"), by: 0)
    invariants.shows(.signedIn(first, user: "A", isUnsaved: false), on: 0)
    #expect(invariants.violation == nil)
    return invariants
  }

  func stored(_ set: TokenSet?, _ user: String? = nil, sends: Int = 0) -> Stored {
    var stored = Stored()
    (stored.session, stored.user, stored.sends) = (set, user, sends)
    return stored
  }

  func send(
    _ set: TokenSet, by client: Int = 0, journal: Int = 1, at time: Duration = .zero, in invariants: inout Invariants
  ) -> Int {
    invariants.willSend(set, by: client, of: "p\(client)", journal: journal, at: time)
  }

  @Test func `two refreshes in flight are one too many`() {
    var invariants = signedIn()
    _ = send(first, in: &invariants)
    #expect(invariants.violation == nil)
    _ = send(other, by: 1, in: &invariants)
    #expect(invariants.violation == "m1 sends 1.0 while a refresh of m0 is in flight")
  }

  @Test func `a manager that has drained sends nothing, and nothing that it sent is in flight`() {
    var invariants = signedIn()
    var waits = invariants
    _ = send(first, in: &waits)
    var isLate = waits
    waits.drained(0, inTime: true)
    #expect(waits.violation == "m0 drained while its refresh with 0.0 is in flight")
    isLate.drained(0, inTime: false)
    #expect(isLate.violation == nil)
    invariants.drained(0, inTime: true)
    #expect(invariants.violation == nil)
    _ = send(first, in: &invariants)
    #expect(invariants.violation == "m0 sends 0.0 after it has drained")
  }

  @Test func `a response that a manager has received is stored when it has drained, unless the store fails`() {
    var invariants = signedIn()
    invariants.ended(send(first, in: &invariants), .refreshed, at: .zero)
    var (isStored, fails) = (invariants, invariants)
    invariants.drained(0, inTime: true)
    #expect(invariants.violation == "m0 drained, and the response to 0.0 is not stored")
    isStored.wrote(stored(second, "A"), by: 0)
    isStored.drained(0, inTime: true)
    #expect(isStored.violation == nil)
    fails.failedToWrite(0)
    fails.drained(0, inTime: true)
    #expect(fails.violation == nil)
  }

  @Test func `a refusal after a process that has drained is no loss`() {
    for isInDoubt in [true, false] {
      var invariants = signedIn()
      invariants.wrote(stored(first, "A", sends: 1), by: 1)
      invariants.died("p0", isInDoubt: isInDoubt)
      invariants.ended(send(first, by: 1, journal: 2, in: &invariants), .refused(.reuse), at: .zero)
      invariants.shows(.signedIn(first, user: "A", isUnsaved: false), on: 1)
      invariants.shows(.signedOut(.ambiguousLoss), on: 1)
      #expect((invariants.violation == nil) == isInDoubt)
    }
  }

  @Test func `a refresh of a process that exited is not in flight`() {
    var invariants = signedIn()
    _ = send(first, in: &invariants)
    invariants.died("p0")
    _ = send(first, by: 1, journal: 2, in: &invariants)
    #expect(invariants.violation == nil)
  }

  @Test func `a token whose response a running process has is not sent again`() {
    var invariants = signedIn()
    invariants.ended(send(first, in: &invariants), .refreshed, at: .seconds(1))
    _ = send(first, by: 1, journal: 2, in: &invariants)
    #expect(invariants.violation == "m1 sends 0.0 again after m0 had the answer")
  }

  @Test func `a token that the stored one has replaced is not sent, whichever process exited`() {
    var invariants = signedIn()
    invariants.ended(send(first, in: &invariants), .refreshed, at: .seconds(1))
    invariants.wrote(stored(second, "A"), by: 0)
    invariants.died("p0")
    _ = send(first, by: 1, in: &invariants)
    #expect(invariants.violation == "m1 sends 0.0, which the stored 0.1 has replaced")
  }

  @Test func `a refused token is not sent again by the one who heard it`() {
    var invariants = signedIn()
    invariants.ended(send(first, in: &invariants), .refused(.revokedByAdministrator), at: .seconds(1))
    _ = send(first, journal: 2, in: &invariants)
    #expect(invariants.violation == "m0 sends 0.0 again after it was refused")
  }

  @Test func `a token is not sent without an entry in the journal`() {
    var invariants = signedIn()
    _ = send(first, journal: 0, in: &invariants)
    #expect(invariants.violation == "m0 sends 0.0, send number 1, but the journal says 0")
  }

  @Test func `a lost send is repeated only where the journal counts it`() {
    var invariants = signedIn()
    invariants.ended(send(first, in: &invariants), .lost, at: .seconds(1))
    var silent = invariants
    _ = send(first, journal: 2, in: &invariants)
    #expect(invariants.violation == nil)
    _ = send(first, journal: 1, in: &silent)
    #expect(silent.violation == "m0 sends 0.0, send number 2, but the journal says 1")
  }

  @Test func `one lost answer costs no session where the grace lasts`() {
    var invariants = signedIn(grace: .seconds(10))
    invariants.ended(send(first, in: &invariants), .lost, at: .seconds(2))
    var prompt = invariants
    prompt.reused(send(first, journal: 2, at: .seconds(3), in: &prompt), spentAt: .seconds(1))
    #expect(prompt.violation == nil)
    invariants.reused(send(first, journal: 2, at: .seconds(30), in: &invariants), spentAt: .seconds(1))
    #expect(invariants.violation == "m0 did not ask again for 0.0 within the grace of the provider")
  }

  @Test func `a stored session is not revoked by the library`() {
    var invariants = signedIn()
    invariants.willRevoke(1, by: 0)
    #expect(invariants.violation == nil)
    invariants.willRevoke(0, by: 0)
    #expect(invariants.violation == "m0 revokes the stored session 0")
  }

  @Test func `a session that was signed out is not stored again`() {
    var invariants = signedIn()
    invariants.wrote(stored(nil), by: 1)
    invariants.wrote(stored(second, "A"), by: 0)
    #expect(invariants.violation == "m0 stores 0.1, which was signed out or replaced")
  }

  @Test func `an older token set does not replace a newer one`() {
    var invariants = signedIn()
    invariants.wrote(stored(second, "A"), by: 0)
    invariants.wrote(stored(first, "A"), by: 1)
    #expect(invariants.violation == "m1 stores 0.0 over the newer 0.1")
  }

  @Test func `no user gets the tokens of another`() {
    var invariants = signedIn()
    invariants.wrote(stored(other, "A"), by: 0)
    #expect(invariants.violation == "m0 stores 1.0, a session of B, as A's")
  }

  @Test func `a session whose sign-in failed is neither stored nor kept`() {
    var stored = signedIn()
    stored.signInFailed(1)
    stored.wrote(self.stored(other, "B"), by: 1)
    #expect(stored.violation == "m1 stores 1.0, whose sign-in failed")
    var kept = signedIn()
    kept.signInFailed(0)
    #expect(kept.violation == "a sign-in failed, and its session 0 is in use")
  }

  @Test func `a session that is gone does not come back to the screen`() {
    var invariants = signedIn()
    invariants.asksToSignOut(0)
    invariants.failedToWrite(0)
    invariants.shows(.signedOut(.requested), on: 0)
    #expect(invariants.violation == nil)
    invariants.shows(.signedIn(second, user: "A", isUnsaved: false), on: 0)
    #expect(invariants.violation == "m0 shows 0.1 again")
  }

  @Test func `a sign-out that succeeded leaves nothing`() {
    var invariants = signedIn()
    invariants.signedOut(0, from: 0, threw: true)
    #expect(invariants.violation == nil)
    invariants.signedOut(0, from: 0, threw: false)
    #expect(invariants.violation == "m0 signed out of 0, which is still in use")
  }

  @Test(arguments: [
    SignOutReason.requested, .rejected, .elsewhere, .absent, .ambiguousLoss, SignOutReason("no reason of ours"),
  ])
  func `no user is signed out for a reason that does not hold`(reason: SignOutReason) {
    var invariants = signedIn()
    invariants.shows(.signedOut(reason), on: 0)
    #expect(invariants.violation == "m0 signed out of A with 0.0: \(reason)")
  }

  @Test func `each reason to sign out holds where it is true`() {
    var requested = signedIn()
    requested.asksToSignOut(0)
    requested.shows(.signedOut(.requested), on: 0)
    #expect(requested.violation == nil)

    var rejected = signedIn()
    rejected.ended(send(first, in: &rejected), .refused(.revokedByAdministrator), at: .zero)
    rejected.shows(.signedOut(.rejected), on: 0)
    #expect(rejected.violation == nil)

    var elsewhere = signedIn()
    elsewhere.read(Stored(), by: 0)
    elsewhere.shows(.signedOut(.elsewhere), on: 0)
    #expect(elsewhere.violation == nil)

    var lost = signedIn()
    lost.ended(send(first, in: &lost), .lost, at: .zero)
    lost.ended(send(first, journal: 2, in: &lost), .refused(.reuse), at: .zero)
    lost.shows(.signedOut(.ambiguousLoss), on: 0)
    #expect(lost.violation == nil)
  }

  @Test func `a token that was sent twice is no reason to call the session rejected`() {
    var invariants = signedIn()
    invariants.ended(send(first, in: &invariants), .refused(.reuse), at: .zero)
    invariants.shows(.signedOut(.rejected), on: 0)
    #expect(invariants.violation == "m0 signed out of A with 0.0: rejected")
  }

  @Test func `a late request of a process that exited may end a session`() {
    var invariants = signedIn()
    let late = send(first, in: &invariants)
    invariants.died("p0")
    invariants.ended(send(first, by: 1, journal: 2, in: &invariants), .refreshed, at: .zero)
    invariants.wrote(stored(second, "A"), by: 1)
    invariants.shows(.signedIn(second, user: "A", isUnsaved: false), on: 1)
    let prompt = invariants
    invariants.cameLate(late)
    for isLate in [true, false] {
      var world = isLate ? invariants : prompt
      world.ended(send(second, by: 1, in: &world), .refused(.reuse), at: .zero)
      world.shows(.signedOut(.rejected), on: 1)
      #expect((world.violation == nil) == isLate)
    }
  }

  @Test func `a session that is shown is stored, or marked as unsaved`() {
    var invariants = signedIn()
    invariants.rests(0)
    #expect(invariants.violation == nil)
    invariants.shows(.signedIn(second, user: "A", isUnsaved: true), on: 0)
    invariants.rests(0)
    #expect(invariants.violation == nil)
    invariants.shows(.signedIn(second, user: "A", isUnsaved: false), on: 0)
    invariants.rests(0)
    #expect(invariants.violation == "m0 shows 0.1, knows that 0.0 of A is stored, and does not say so")
  }

  @Test func `a session in use does not vanish from sight`() {
    var invariants = signedIn()
    invariants.shows(.unavailable, on: 0)
    #expect(invariants.violation == "m0 lost sight of A with 0.0")
  }

  @Test func `an entry that was written, and said not to be, counts`() {
    var invariants = signedIn()
    invariants.wrote(stored(first, "A", sends: 1), by: 0, isConfirmed: false)
    invariants.ended(send(first, in: &invariants), .lost, at: .zero)
    _ = send(first, in: &invariants)
    #expect(invariants.violation == "m0 sends 0.0, send number 2, but the journal says 1")
  }

  @Test func `a reported failure of a write excuses no revocation of the stored session`() {
    var invariants = signedIn()
    invariants.wrote(stored(second, "A"), by: 0, isConfirmed: false)
    invariants.willRevoke(0, by: 0)
    #expect(invariants.violation == "m0 revokes the stored session 0")
  }

  @Test(arguments: [false, true])
  func `a session that was signed out elsewhere does not return, whatever its writer heard`(isConfirmed: Bool) {
    var invariants = signedIn()
    invariants.wrote(stored(nil), by: 0)
    invariants.wrote(stored(other, "B"), by: 0, isConfirmed: isConfirmed)
    invariants.wrote(stored(nil), by: 1)
    invariants.wrote(stored(other, "B"), by: 0)
    #expect(invariants.violation == "m0 stores 1.0, which was signed out or replaced")
  }

  @Test(arguments: [false, true])
  func `newer tokens are not overwritten, whatever their writer heard`(isConfirmed: Bool) {
    var invariants = signedIn()
    invariants.wrote(stored(first, "A"), by: 1, isConfirmed: isConfirmed)
    invariants.wrote(stored(second, "A"), by: 0)
    invariants.wrote(stored(first, "A"), by: 1)
    #expect(invariants.violation == "m1 stores 0.0 over the newer 0.1")
  }

  @Test(arguments: [false, true])
  func `a manager returns to a session only where it could not look whether it stored the next`(looked: Bool) {
    var invariants = signedIn()
    let next = TokenSet(family: 2, rotation: 0)
    invariants.issued(2, to: "A", for: 2)
    invariants.failedToWrite(0, stored(next, "A"))
    invariants.shows(.signedIn(next, user: "A", isUnsaved: true), on: 0)
    if looked { invariants.read(stored(first, "A"), by: 0) }
    invariants.wrote(stored(second, "A"), by: 1)
    invariants.read(stored(second, "A"), by: 0)
    invariants.shows(.signedIn(second, user: "A", isUnsaved: false), on: 0)
    #expect(invariants.violation == (looked ? "m0 shows 0.1 again" : nil))
  }

  @Test(arguments: [false, true])
  func `a process that lost the lock may be sent over, and no other`(isLost: Bool) {
    var invariants = signedIn()
    _ = send(first, in: &invariants)
    if isLost { invariants.lostLock(0) }
    _ = send(first, by: 1, journal: 2, in: &invariants)
    #expect(invariants.violation == (isLost ? nil : "m1 sends 0.0 while a refresh of m0 is in flight"))
  }

  @Test func `a sign-in does not outlive a later sign-out`() {
    var invariants = signedIn()
    invariants.signInBegan(1, on: 0)
    let attempts = invariants.asksToSignOut(0)
    invariants.wrote(stored(nil), by: 0)
    invariants.shows(.signedOut(.requested), on: 0)
    invariants.signedOut(0, from: 0, ending: attempts, threw: false)
    #expect(invariants.violation == nil)
    invariants.wrote(stored(other, "B"), by: 0)
    #expect(invariants.violation == "m0 stores 1.0, whose sign-in was overtaken")
  }

  @Test func `a sign-in does not outlive a later one, unless it was the session by then`() {
    var invariants = signedIn()
    invariants.signInBegan(0, on: 0)
    invariants.signInBegan(1, on: 0)
    invariants.wrote(stored(second, "A"), by: 0)
    #expect(invariants.violation == nil)
    invariants.signInBegan(2, on: 0)
    invariants.wrote(stored(other, "B"), by: 0)
    #expect(invariants.violation == "m0 stores 1.0, whose sign-in was overtaken")
  }

  @Test(arguments: [false, true])
  func `an attempt that was given up stores nothing that it had not stored by then`(isStored: Bool) {
    var invariants = signedIn()
    if isStored { invariants.shows(.signedIn(other, user: "B", isUnsaved: true), on: 1) }
    invariants.giveUp([1])
    invariants.wrote(stored(other, "B"), by: 1)
    #expect(invariants.violation == (isStored ? nil : "m1 stores 1.0, whose attempt was given up"))
  }

  @Test func `a code is asked for only by the latest attempt, and not after a sign-out`() {
    var invariants = Invariants()
    invariants.began(0, "m0")
    invariants.signInBegan(0, on: 0)
    invariants.asked("A/0", for: 0, on: 0)
    var overtaken = invariants
    invariants.shows(.challenged("A/0"), on: 0)
    #expect(invariants.violation == nil)
    let attempts = invariants.asksToSignOut(0)
    invariants.signedOut(0, from: nil, ending: attempts, threw: false)
    #expect(invariants.violation == "m0 signed out, and asks for the code of A/0")
    overtaken.issued(0, to: "A", for: 5)
    overtaken.shows(.signedIn(first, user: "A", isUnsaved: false), on: 0)
    overtaken.signInBegan(1, on: 0)
    overtaken.shows(.challenged("A/0"), on: 0)
    #expect(overtaken.violation == "m0 asks for a code of A/0, which is over")
  }

  @Test func `a session that no process can use is revoked, or taken back`() {
    var invariants = signedIn()
    invariants.reached(0, 0, of: "p0")
    invariants.reached(1, 1, of: "p1")
    #expect(invariants.abandonedFamilies == [1])
    invariants.revokedAlone(1)
    #expect(invariants.abandonedFamilies == [])
    invariants.wrote(stored(nil), by: 0)
    #expect(invariants.abandonedFamilies == [0])
    invariants.died("p0")
    #expect(invariants.abandonedFamilies == [], "its tokens died with the process")
  }

  @Test func `all sessions of a signed-in user are not ended`() {
    var invariants = signedIn()
    invariants.willEndAll(of: 1, by: 0, showing: .signedIn(first, user: "A", isUnsaved: false))
    #expect(invariants.violation == nil)
    invariants.willEndAll(of: 0, by: 0, showing: .signedIn(first, user: "A", isUnsaved: false))
    #expect(invariants.violation == "m0 revokes session 0 of A, who is signed in")
  }

  @Test(arguments: [false, true])
  func `a command resolves an unresolved refresh before it returns a token, unless it could not`(couldNot: Bool) {
    var invariants = Invariants()
    invariants.began(0, "m0", isCommand: true)
    invariants.issued(0, to: "A", for: nil)
    if couldNot { invariants.couldNotResolve(0) }
    invariants.read(stored(first, "A", sends: 1), by: 0)
    invariants.returns(first, by: 0)
    let words = "m0, a command, gives 0.0, which was sent 1 times without a known end"
    #expect(invariants.violation == (couldNot ? nil : words))
  }

  @Test func `nothing is shown before it is stored`() {
    var invariants = signedIn()
    invariants.willWrite(stored(second, "A"), by: 0, showing: .signedIn(first, user: "A", isUnsaved: false))
    invariants.willWrite(stored(nil), by: 0, showing: .signedIn(first, user: "A", isUnsaved: false))
    #expect(invariants.violation == nil)
    var out = invariants
    invariants.willWrite(stored(second, "A"), by: 0, showing: .signedIn(second, user: "A", isUnsaved: false))
    #expect(invariants.violation == "m0 shows 0.1 before it is stored")
    out.willWrite(stored(nil), by: 0, showing: .signedOut(.requested))
    #expect(out.violation == "m0 shows no user before that is stored")
  }
}
