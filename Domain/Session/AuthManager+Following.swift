extension AuthManager {
  /// Lets what another process writes reach this one's runtime.
  func followStore() {
    guard following == nil, let changes = store.changes() else { return }
    following = Task.detached(executorPreference: taskExecutor) { [weak self] in
      for await _ in changes { await self?.storeChanged() }
      await self?.storeIsGone()
    }
  }

  private func storeChanged() {
    guard machine.hasReadStore else {
      restore()
      return
    }
    // What is unsaved is saved on top of it, under the lock for writing.
    if !machine.isUnsaved { readStoreAgain(suspicion: true) }
  }

  private func storeIsGone() { following = nil }
}
