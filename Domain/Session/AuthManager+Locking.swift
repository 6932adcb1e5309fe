/// One renewal at a time among the processes that share a store.
extension AuthManager {
  func acquireLock() async throws(AuthenticationError) {
    guard let lock else { return }
    let deadline = clock.uptime + patience
    while try !tryLock(lock) {
      if clock.uptime >= deadline { throw .timedOut }
      do { try await clock.sleep(for: .milliseconds(5) + backoff.delay(attempt: 0) / 50) } catch { throw .cancelled }
    }
  }

  /// An earlier renewal here may have left it; whether it is still held is looked at before anything is sent.
  private func tryLock(_ lock: any SessionLock) throws(AuthenticationError) -> Bool {
    defer { keepsLock = false }
    if keepsLock { return true }
    return try lock.tryAcquire()
  }

  /// Kept while the outcome is not stored: whoever came next would read the spent token, and send it again.
  func releaseLock() {
    if machine.isUnsaved { keepsLock = true } else { lock?.release() }
  }

  /// After whatever may have stored it.
  func releaseKeptLock() {
    guard keepsLock, !machine.isUnsaved else { return }
    keepsLock = false
    lock?.release()
  }
}
