extension AuthManager {
  /// Handles what leads to a write: on top of what another process has stored meanwhile, and without one in between.
  /// Nothing is written over what others may have stored, and cannot be read.
  func commit(_ event: SessionMachine.Event) {
    exclusively {
      lockedOut = readStoreAgain() ?? lockedOut
      perform(machine.handle(event))
    }
  }

  /// Where another process does not give the store back, what was to be stored is kept here, unsaved, and tried again.
  func exclusively<Value>(_ body: () -> Value) -> Value {
    var value: Value?
    defer {
      lockedOut = nil
      releaseKeptLock()
    }
    do throws(AuthenticationError) {
      try store.exclusively { value = body() }
    } catch {
      lockedOut = error
    }
    return value ?? body()
  }

  /// Takes over what another process has stored; without a lock nobody is expected to share the store, unless a
  /// `suspicion` says so. Answers why that could not be read.
  @discardableResult
  func readStoreAgain(suspicion: Bool = false) -> AuthenticationError? {
    guard lock != nil || suspicion else { return nil }
    if case .unavailable(let error) = machine.store { return error.code == .storageCorrupt ? nil : error }
    do throws(AuthenticationError) {
      let (before, doubtful) = (known, doubtful)
      let stored = try readStore()
      perform(
        machine.handle(
          machine.isUnsaved
            ? .storeOvertook(stored ?? SessionRecord(), known: before, doubtful: doubtful, at: clock.now)
            : .storeReadAgain(stored, at: clock.now)))
      return nil
    } catch {
      return error.code == .storageCorrupt ? nil : error
    }
  }

  func readStore() throws(AuthenticationError) -> SessionRecord? {
    let stored = try store.read()
    (known, doubtful) = (stored ?? SessionRecord(), nil)
    return stored
  }

  /// Answers why the record is not stored, or may not be.
  func write(_ record: SessionRecord) -> AuthenticationError? {
    do throws(AuthenticationError) {
      if record.isEmpty { try store.delete() } else { try store.save(record) }
      (known, doubtful) = (record, nil)
      return nil
    } catch {
      lookAfterFailure(to: record)
      // A disk too full for the queue of revocations still has room for less.
      if record.session == nil, record.formerUser == nil, known?.session != nil, (try? store.delete()) != nil {
        (known, doubtful) = (SessionRecord(), nil)
      }
      return error
    }
  }

  /// A save may be done although it failed: then what others make of it later is not older than it.
  private func lookAfterFailure(to record: SessionRecord) {
    doubtful = record
    _ = machine.handle(.saveDoubted)
    do throws(AuthenticationError) {
      let stored = try store.read() ?? SessionRecord()
      if stored == record {
        known = record
        // A sign-in has had its precedence; whether it lasts is asked again.
        _ = machine.handle(.saved(nil))
      }
      if stored == known { doubtful = nil }
    } catch {}
  }
}
