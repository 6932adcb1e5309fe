/// When an unreadable store is read again.
struct StoreReading: Sendable {
  private var failures = 0
  private var nextAt: Duration?

  func isDue(at uptime: Duration) -> Bool { nextAt.map { uptime >= $0 } ?? true }

  mutating func noteFailure(at uptime: Duration, _ backoff: Backoff) {
    failures += 1
    nextAt = uptime + backoff.delay(attempt: min(failures, 5))
  }
}

/// Reading and writing the store, with other processes locked out.
extension AuthManager {
  /// Reads the store if that has not been done. A store that could not be read may prompt the person: it is read again
  /// only after a while.
  @discardableResult
  func readIfDue() -> AuthenticationState {
    // Before the store is read, so that no write in between is missed.
    let wasBlind = followStore()
    if machine.store.isRead {
      if machine.record.session == nil || wasBlind, machine.store.failure == nil { readAgain(suspicion: wasBlind) }
    } else if reading.isDue(at: clock.uptime) {
      // Other processes are locked out only if there is something to write.
      if machine.record.pendingRevocations.isEmpty {
        read()
      } else {
        transaction(reading: false) { () -> Void in read() }
      }
      if !machine.store.isRead { reading.noteFailure(at: clock.uptime, backoff) }
    }
    return machine.state
  }

  /// Reads the store, even if it could not be read a short while ago.
  @discardableResult
  func readNow() -> AuthenticationState {
    reading = StoreReading()
    return readIfDue()
  }

  /// Reads what other processes have stored, then runs `body`, with none of their writes in between. Nothing is written
  /// if the store cannot be read, so that nothing unread is overwritten, nor while another process does not release the
  /// store: what was to be stored is kept here, unsaved, and tried again.
  ///
  /// - Parameters:
  ///   - suspicion: read the store even if no other process is expected to share it.
  ///   - reading: false if `body` itself reads the store.
  ///   - body: handles the events that lead to a write.
  func transaction<Value: Sendable>(
    suspicion: Bool = false, reading: Bool = true, _ body: () -> Value
  ) -> Value {
    var value: Value?
    do throws(AuthenticationError) {
      try store.exclusively {
        if reading, let failure = readAgain(suspicion: suspicion) { handle(.storeBlocked(failure)) }
        value = body()
      }
    } catch {
      handle(.storeBlocked(error))
    }
    let result = value ?? body()
    handle(.storeBlocked(nil))
    if machine.store.failure == nil { lock.releaseIfKept() }
    return result
  }

  /// Takes over what another process has stored. Without a lock no other process is expected to share the store, and
  /// what was read and saved is read again only with `suspicion`.
  ///
  /// - Returns: why it could not be read; nil if it was, or if it need not be.
  @discardableResult
  func readAgain(suspicion: Bool = false) -> AuthenticationError? {
    guard lock.isShared || suspicion || !machine.store.isRead || machine.store.failure != nil else { return nil }
    var failure: AuthenticationError?
    if case .unavailable(let error) = machine.store.reading { failure = error } else { failure = read() }
    return failure?.code == .storageCorrupt ? nil : failure
  }

  @discardableResult
  private func read() -> AuthenticationError? {
    do throws(AuthenticationError) {
      handle(.storeRead(.success(try store.read()), at: clock.now))
      return nil
    } catch {
      handle(.storeRead(.failure(error), at: clock.now))
      return error
    }
  }

  func write(_ record: SessionRecord) -> SessionMachine.Event {
    do throws(AuthenticationError) {
      // The ended sign-ins matter to other processes only.
      if record.holdsNothing, record.endReason == nil, !lock.isShared || record.endedSignIns.isEmpty {
        try store.delete()
      } else {
        try store.save(record)
      }
      followStore()
      return .saved
    } catch {
      let found = found()
      // A disk too full for the queue of revocations may still allow the deletion.
      let isLeft = (found ?? machine.store.known).session != nil
      if record.session == nil, record.formerUser == nil, isLeft, (try? store.delete()) != nil {
        return .saveFailed(error, found: SessionRecord())
      }
      return .saveFailed(error, found: found)
    }
  }

  private func found() -> SessionRecord? {
    do { return try store.read() ?? SessionRecord() } catch { return nil }
  }

  func saveLater() {
    guard !willSaveLater else { return }
    willSaveLater = true
    // About a minute at most: unsaved changes are lost with the process.
    let delay = backoff.delay(attempt: min(machine.store.failedSaves - 1, 6))
    Task.detached(executorPreference: taskExecutor) { [weak self, clock] in
      try? await clock.sleep(for: delay)
      await self?.saveAgain()
    }
  }

  private func saveAgain() {
    willSaveLater = false
    transaction { handle(.saveRetried) }
  }
}
