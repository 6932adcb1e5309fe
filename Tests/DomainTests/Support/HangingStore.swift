import AuthenticationDomain
import AuthenticationDomainTesting
import Dispatch
import Synchronization

/// A store whose first read blocks its thread, as a keychain prompt does, until it is opened.
final class HangingStore: SessionStore {
  let wasRead = Gate()
  private let isOpen = DispatchSemaphore(value: 0)
  private let count = Mutex(0)

  var reads: Int { count.withLock { $0 } }

  func open() { isOpen.signal() }

  func read() throws(AuthenticationError) -> SessionRecord? {
    count.withLock { $0 += 1 }
    let gate = wasRead
    Task.detached { await gate.pass() }
    isOpen.wait()
    return SessionRecord(session: .sample(receivedAt: .noon))
  }

  func save(_ record: SessionRecord) throws(AuthenticationError) {}
  func delete() throws(AuthenticationError) {}
}
