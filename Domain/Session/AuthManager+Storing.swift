extension AuthManager {
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
    machine.doubtfulGeneration = machine.generation
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
