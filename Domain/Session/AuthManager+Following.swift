extension AuthManager {
  /// Lets what another process writes reach this one's runtime. True where that begins now: what was written before
  /// then was told to nobody.
  @discardableResult
  func followStore() -> Bool {
    guard !isFollowing, let changes = store.changes() else { return false }
    isFollowing = true
    following?.cancel()
    following = Task.detached(executorPreference: taskExecutor) { [weak self, clock, backoff] in
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
    guard machine.hasReadStore else {
      restore()
      return
    }
    // What is unsaved is saved on top of it, under the lock for writing.
    if !machine.isUnsaved { readStoreAgain(suspicion: true) }
  }

  private func storeIsGone() { isFollowing = false }

  private func followAgain() -> Bool {
    if followStore() { storeChanged() }
    return isFollowing
  }
}
