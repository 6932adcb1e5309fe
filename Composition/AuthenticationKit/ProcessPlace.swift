import AuthenticationData
import AuthenticationDomain
import Synchronization

/// What is shared by the roots of one process that keep their sessions under one key of one storage.
final class ProcessPlace: Sendable {
  /// What the roots of one realm share. It retains its place, so that the next root over the same storage finds it.
  struct Realm: Sendable {
    let renewing: KeptLock
    let writing: KeptLock
    let signal: ChangeSignal
  }

  private struct Contents: Sendable {
    let renewing = ProcessLock()
    let writing = ProcessLock()
    let signal = ChangeSignal.withinProcess()
  }

  private struct Known {
    weak var place: ProcessPlace?
  }

  private static let known = Mutex<[StorageIdentity: Known]>([:])

  // Retained, so that no other object gets this one's identity while the place exists.
  private let storage: any SecureStorage
  private let realms = Mutex<[String: Contents]>([:])

  private init(_ storage: any SecureStorage) { self.storage = storage }

  /// The place of this identity; a new place if the storage has no identity.
  static func shared(by identity: StorageIdentity?, over storage: any SecureStorage) -> ProcessPlace {
    guard let identity else { return ProcessPlace(storage) }
    return known.withLock { known in
      if let place = known[identity]?.place { return place }
      known = known.filter { $0.value.place != nil }
      let place = ProcessPlace(storage)
      known[identity] = Known(place: place)
      return place
    }
  }

  func realm(_ name: String) -> Realm {
    let contents = realms.withLock { realms in
      let contents = realms[name] ?? Contents()
      realms[name] = contents
      return contents
    }
    return Realm(
      renewing: KeptLock(lock: contents.renewing, place: self), writing: KeptLock(lock: contents.writing, place: self),
      signal: contents.signal)
  }
}

/// A lock that retains its place.
struct KeptLock: BlockingLock {
  let lock: ProcessLock
  let place: ProcessPlace

  func tryAcquire() throws(AuthenticationError) -> Bool { try lock.tryAcquire() }
  func release() { lock.release() }
}
