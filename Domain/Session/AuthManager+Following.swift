/// Whether this process is notified of what other processes write to the store.
struct StoreFollowing {
  var isActive = false
  var task: Task<Void, Never>?

  func end() { task?.cancel() }
}

extension AuthManager {
  /// Lets what another process writes reach this one's runtime.
  ///
  /// - Returns: true if that begins now: there was no notification of what was written before.
  @discardableResult
  func followStore() -> Bool {
    guard !following.isActive, let changes = store.changes() else { return false }
    following.end()
    following.isActive = true
    following.task = Task.detached(executorPreference: taskExecutor) { [weak self, clock, backoff] in
      for await _ in changes { await self?.storeChanged() }
      guard await self?.storeIsGone() != nil else { return }
      var attempt = 2
      repeat {
        guard (try? await clock.sleep(for: backoff.delay(attempt: attempt))) != nil else { return }
        attempt = min(attempt + 1, 6)
      } while await self?.followAgain() == false
    }
    return true
  }

  private func storeChanged() {
    guard machine.store.isRead else {
      readNow()
      return
    }
    // Unsaved changes are merged into it later, under the lock for writing.
    if machine.store.failure == nil { readAgain(suspicion: true) }
  }

  private func storeIsGone() { following.isActive = false }

  private func followAgain() -> Bool {
    if followStore() { storeChanged() }
    return following.isActive
  }
}
