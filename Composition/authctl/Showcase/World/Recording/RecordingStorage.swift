import AuthenticationKit
import Foundation
import Synchronization

/// Secrets in files, in a place that can be locked, as a keychain is before the device is first unlocked.
final class RecordingStorage: SecureStorage {
  private let upstream: FileStorage
  private let recorder: Recorder?
  private let locked = Mutex(false)

  init(_ upstream: FileStorage, recorder: Recorder? = nil) {
    self.upstream = upstream
    self.recorder = recorder
  }

  var isLocked: Bool {
    get { locked.withLock { $0 } }
    set { locked.withLock { $0 = newValue } }
  }

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    try open(.reading, key)
    return try upstream.read(key)
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try open(.writing, key)
    try upstream.write(value, for: key)
  }

  func delete(_ key: String) throws(AuthenticationError) {
    try open(.deleting, key)
    try upstream.delete(key)
  }

  /// That of the files: a second process has a storage of its own over them.
  var identity: StorageIdentity? { upstream.identity }

  private enum Access: String {
    case reading, writing, deleting
  }

  private func open(_ access: Access, _ key: String) throws(AuthenticationError) {
    let isPending = key.contains(".pending ")
    // Whether a step is pending is asked, and forgotten, at every turn.
    if !isPending || access == .writing {
      let what = isPending ? "a pending step" : "the session"
      recorder?.step(.store, "\(access.rawValue) \(what)", isLocked ? "locked" : "")
    }
    if isLocked { throw .storageUnavailable }
  }
}

extension SessionStorage {
  /// The storage, with locks in the same folder that a second process respects.
  static func stage(_ storage: RecordingStorage, in folder: URL) -> Self {
    .secure(storage, locksIn: folder.appending(path: "locks"))
  }
}

extension FileStorage {
  /// Beside the locks of ``SessionStorage/stage(_:in:)``.
  static func stage(in folder: URL) -> Self { Self(folder: folder.appending(path: "session")) }
}
