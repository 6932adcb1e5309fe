import AuthenticationData
import AuthenticationDomain
import Synchronization

/// What the roots of one process share that keep their sessions under one key of one storage.
final class ProcessPlace: Sendable {
  /// What those of one realm share. It keeps its place, so that the next root over the same storage finds it.
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

  // No other object takes this one's identity while the place lives.
  private let storage: any SecureStorage
  private let realms = Mutex<[String: Contents]>([:])

  private init(_ storage: any SecureStorage) { self.storage = storage }

  /// The place of this identity; without one a new place.
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

/// A lock that keeps the place it is of.
struct KeptLock: BlockingLock {
  let lock: ProcessLock
  let place: ProcessPlace

  func tryAcquire() throws(AuthenticationError) -> Bool { try lock.tryAcquire() }
  func release() { lock.release() }
}
