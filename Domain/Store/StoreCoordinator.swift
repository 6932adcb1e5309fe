import Foundation

/// The store of one manager, and the other processes that use it: its lock, the following of their writes, when an
/// unreadable store is read again, and saving later. Confined to the keeper.
final class StoreCoordinator {
  private let store: any SessionStore
  private let clock: any AuthenticationClock
  private let backoff: Backoff
  private let executor: (any TaskExecutor)?
  /// Keeps other processes from refreshing the same session.
  let lock: RefreshLock
  /// Whether this process is notified of the writes of other processes to the store, and the task that is.
  private var isFollowing = false
  private var following: Task<Void, Never>?
  private var willSaveLater = false
  /// How often the store could not be read, and the uptime at which it is read again.
  private var failedReads = 0
  private var nextReadAt: Duration?

  init(
    _ store: any SessionStore, lock: (any SessionLock)?, clock: any AuthenticationClock, backoff: Backoff,
    executor: (any TaskExecutor)?
  ) {
    (self.store, self.lock, self.clock) = (store, RefreshLock(lock), clock)
    (self.backoff, self.executor) = (backoff, executor)
  }

  deinit {
    following?.cancel()
    lock.releaseIfKept()
  }

  // MARK: - Reading

  /// Whether an unreadable store is to be read again. It may prompt the user: it is read again only after a while.
  var isReadDue: Bool { nextReadAt.map { clock.uptime >= $0 } ?? true }

  /// Lets the store be read, even if it could not be read a short while ago.
  func readAgainAtOnce() { (failedReads, nextReadAt) = (0, nil) }

  func read() -> SessionMachine.Event {
    .storeRead(Result { () throws(AuthenticationError) in try store.read() }, at: clock.now)
  }

  func noteFailedRead() {
    failedReads += 1
    nextReadAt = clock.uptime + backoff.delay(attempt: min(failedReads, 5))
  }

  /// Whether the store may hold a session, although it was to be erased.
  var mayHoldSession: Bool { (try? store.read()?.session != nil) ?? true }

  // MARK: - Writing

  /// Runs `body` while no other process reads or writes.
  ///
  /// - Returns: why `body` was not run: another process does not release the store.
  func exclusively(_ body: () -> Void) -> AuthenticationError? {
    do throws(AuthenticationError) {
      try store.exclusively(body)
      return nil
    } catch {
      return error
    }
  }

  /// - Parameter known: the content of the store when it was last read or written.
  func write(_ record: SessionRecord, over known: SessionRecord) -> SessionMachine.Event {
    do throws(AuthenticationError) {
      try put(record)
      return .saved
    } catch {
      let found = try? store.read() ?? SessionRecord()
      // A disk too full for the queue of revocations may still allow the deletion.
      let isLeft = (found ?? known).session != nil
      if record.session == nil, record.formerUser == nil, isLeft, (try? store.delete()) != nil {
        // That made room for the queue, and for the ended sign-ins, without which another process that cannot tell
        // whether it has stored its session would store that again.
        return (try? put(record)) != nil ? .saved : .saveFailed(error, found: SessionRecord())
      }
      return .saveFailed(error, found: found)
    }
  }

  private func put(_ record: SessionRecord) throws(AuthenticationError) {
    // The ended sign-ins matter to other processes only.
    if record.holdsNothing, record.endReason == nil, !lock.isShared || record.endedSignIns.isEmpty {
      try store.delete()
    } else {
      try store.save(record)
    }
  }

  /// Calls `save` after a while, about a minute at most: unsaved changes are lost with the process.
  func saveLater(failedSaves: Int, _ save: @escaping @Sendable () async -> Void) {
    guard !willSaveLater else { return }
    willSaveLater = true
    let delay = backoff.delay(attempt: min(failedSaves - 1, 6))
    Task.detached(executorPreference: executor) { [clock] in
      try? await clock.sleep(for: delay)
      await save()
    }
  }

  /// Ends the wait before a save: the changes are saved now.
  func savesNow() { willSaveLater = false }

  /// Removes the copies of unreadable data; one that cannot be removed now is removed the next time.
  func removeQuarantinedCopies() { try? store.removeQuarantinedCopies() }

  // MARK: - Following

  /// Follows the writes of other processes.
  ///
  /// - Parameters:
  ///   - changed: called after each write.
  ///   - again: called after the store is gone, until it returns true: it follows the store again.
  ///   - gone: called first.
  /// - Returns: true if that begins now: there was no notification of earlier writes.
  func follow(
    changed: @escaping @Sendable () async -> Void, gone: @escaping @Sendable () async -> Void,
    again: @escaping @Sendable () async -> Bool
  ) -> Bool {
    guard !isFollowing, let changes = store.changes() else { return false }
    following?.cancel()
    isFollowing = true
    following = Task.detached(executorPreference: executor) { [clock, backoff] in
      for await _ in changes { await changed() }
      await gone()
      var attempt = 2
      repeat {
        guard (try? await clock.sleep(for: backoff.delay(attempt: attempt))) != nil else { return }
        attempt = min(attempt + 1, 6)
      } while await !again()
    }
    return true
  }

  func noteGone() { isFollowing = false }

  var follows: Bool { isFollowing }
}

/// The lock that keeps other processes from refreshing the same session, as one manager holds it.
final class RefreshLock {
  private let lock: (any SessionLock)?
  /// The outcome of a refresh could not be stored: the next refresh would send the used token again.
  private var isKept = false
  /// Counts the times it was taken: a refresh that has lost it does not release it for the next one.
  private(set) var holder = 0

  init(_ lock: (any SessionLock)?) { self.lock = lock }

  /// Whether other processes may use the store.
  var isShared: Bool { lock != nil }

  /// False if the system has taken it back, as it does from a process that is suspended.
  func isHeld(by holder: Int) -> Bool { holder == self.holder && lock?.isStillHeld ?? true }

  /// Takes it if it is free; one that an earlier refresh has kept is taken over.
  func tryAcquire() throws(AuthenticationError) -> Bool {
    if let lock, !isKept, try !lock.tryAcquire() { return false }
    isKept = false
    holder += 1
    return true
  }

  /// - Parameters:
  ///   - holder: the value of ``holder`` after ``tryAcquire()``.
  ///   - isSaved: false to keep it until ``releaseIfKept()``.
  func release(by holder: Int?, isSaved: Bool) {
    guard holder == self.holder else { return }
    if isSaved { lock?.release() } else { isKept = true }
  }

  func releaseIfKept() {
    if isKept { lock?.release() }
    isKept = false
  }
}
