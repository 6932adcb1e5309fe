import AuthenticationDomainTesting
import Testing

@testable import AuthenticationDomain

/// Whose lock it is, of all the refreshes of one manager.
@Suite struct RefreshLockTests {
  private let upstream = ScriptedSessionLock()

  @Test func `a refresh that has lost the lock does not release it for the next one`() throws {
    let lock = RefreshLock(upstream)
    var isTaken = try lock.tryAcquire()
    let first = lock.holder
    upstream.takeBack()
    isTaken = try isTaken && lock.tryAcquire()
    #expect(isTaken)
    #expect(!lock.isHeld(by: first))
    #expect(lock.isHeld(by: lock.holder))
    lock.release(by: first, isSaved: true)
    lock.release(by: nil, isSaved: true)
    #expect(upstream.isStillHeld)
    lock.release(by: lock.holder, isSaved: true)
    #expect(!upstream.isStillHeld)
  }

  @Test func `a lock that was kept is taken over, and released once`() throws {
    let lock = RefreshLock(upstream)
    _ = try lock.tryAcquire()
    lock.release(by: lock.holder, isSaved: false)
    #expect((upstream.acquisitions, upstream.releases) == (1, 0))
    let isTakenOver = try lock.tryAcquire()
    #expect(isTakenOver)
    #expect((upstream.acquisitions, upstream.releases) == (1, 0))
    lock.releaseIfKept()
    #expect(upstream.releases == 0, "the refresh that has taken it over gives it back")
    lock.release(by: lock.holder, isSaved: false)
    lock.releaseIfKept()
    lock.releaseIfKept()
    #expect(upstream.releases == 1)
  }

  @Test func `a lock that is not free has no new holder`() throws {
    upstream.setHeldElsewhere(true)
    let lock = RefreshLock(upstream)
    let before = lock.holder
    let isTaken = try lock.tryAcquire()
    #expect(!isTaken)
    #expect(lock.holder == before)
  }

  @Test func `where no other process uses the store, a refresh holds the lock until the next one takes it`() throws {
    let lock = RefreshLock(nil)
    _ = try lock.tryAcquire()
    let first = lock.holder
    #expect(lock.isHeld(by: first))
    _ = try lock.tryAcquire()
    #expect(!lock.isHeld(by: first))
  }
}
