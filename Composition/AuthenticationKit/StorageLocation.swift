public import AuthenticationData
public import AuthenticationDomain
public import Foundation
import Synchronization

/// Where a session is kept, with the lock that the other processes at this location use.
///
/// Each realm of a provider has a separate store, so that no provider ever gets another's session.
///
/// ```swift
/// options.storage = .files(in: folder)
/// options.storage = .secure(FileStorage(folder: folder).encrypted(with: key), locksIn: folder)
/// options.storage = .inMemory
/// ```
public struct StorageLocation: Sendable {
  /// The store of one realm, and the lock that guards it.
  public struct Realm: Sendable {
    package var store: any SessionStore
    package let lock: (any SessionLock)?
    package let secrets: any SecureStorage
    /// The storage below the store, for a record that is no session; nil for a store of an app's own.
    package private(set) var shared: Shared?
    /// Keeps the recorded events, which are no secret, and the lock under which they are appended.
    package let events: (storage: any SecureStorage, lock: any BlockingLock)

    /// Uses a custom store.
    ///
    /// - Parameters:
    ///   - store: keeps the realm's session between launches.
    ///   - lock: shared with the other processes that use this store; nil if there are none.
    ///   - secrets: keeps the data of a sign-in that was begun in a browser and ends after a relaunch.
    public init(
      store: any SessionStore, lock: (any SessionLock)? = nil, secrets: any SecureStorage = InMemoryStorage()
    ) {
      self.init(store: store, lock: lock, secrets: secrets, events: (secrets, ProcessLock()))
    }

    fileprivate init(
      store: any SessionStore, lock: (any SessionLock)?, secrets: any SecureStorage,
      events: (storage: any SecureStorage, lock: any BlockingLock)
    ) {
      (self.store, self.lock, self.secrets, self.events) = (store, lock, secrets, events)
    }

    fileprivate init(
      _ storage: any SecureStorage, key: String, realm: String, writing: any BlockingLock, signal: ChangeSignal,
      lock: any SessionLock, events: (storage: any SecureStorage, lock: any BlockingLock)
    ) {
      self.init(
        store: storage.sessionStore(key: key, realm: realm).locked(by: writing, telling: signal), lock: lock,
        secrets: PrefixedStorage(storage, prefix: "\(key).pending "), events: events)
      shared = (storage, key, writing, signal)
    }

    /// Where processes share a record, the lock that each change holds, and the signal that notifies of it.
    package typealias Shared = (
      storage: any SecureStorage, key: String, lock: any BlockingLock, signal: ChangeSignal
    )
  }

  /// The stores for the realm of this name.
  package let realm: @Sendable (_ name: String) -> Realm

  /// A custom location.
  ///
  /// - Parameter realm: returns another store for each realm; called once for each ``MainRoot``.
  public init(realm: @escaping @Sendable (_ name: String) -> Realm) { self.realm = realm }

  /// Any secure storage. All roots of a process over the same storage, key and realm behave as one, if the storage has
  /// an identity (``SecureStorage/identity``); otherwise only the roots that are made with this value do.
  ///
  /// With a folder for locks, several processes share the storage: no two of them refresh or write at the same time,
  /// and each is notified of the writes of the others.
  ///
  /// - Parameters:
  ///   - storage: where the session is kept.
  ///   - key: one for each account of an app.
  ///   - folder: the same for all of these processes, and used by no other; it holds the locks, and data that is not
  ///     secret. Nil, the default, if there is one process.
  public static func secure(
    _ storage: any SecureStorage, key: String = "session", locksIn folder: URL? = nil
  ) -> Self {
    // A storage that asks the user for the session is not to ask for its events.
    let events: any SecureStorage = (storage as? KeychainStorage)?.withoutLocalAuthentication ?? storage
    if let folder {
      let files = FileStorage(folder: folder)
      return shared(MarkedStorage(storage, marks: files), events: events, locks: files, key: key)
    }
    let sharing = ProcessSharing.shared(by: storage.identity.map { $0 + [key] }, over: storage)
    return Self { realm in
      let key = "\(key).\(realm)"
      let shared = sharing.realm(realm)
      return Realm(
        storage, key: key, realm: realm, writing: shared.writing, signal: shared.signal, lock: shared.refreshing,
        events: (PrefixedStorage(events, prefix: "events.\(key)."), shared.events))
    }
  }

  /// Files that only their owner can read.
  ///
  /// - Parameters:
  ///   - folder: holds the files; several processes and several keys may use the same one.
  ///   - key: one for each account of an app.
  public static func files(in folder: URL, key: String = "session") -> Self {
    let files = FileStorage(folder: folder)
    return shared(files, locks: files, key: key) { files.changeSignal(for: $0) }
  }

  /// A storage that several processes share, with its locks in a folder that all of them know.
  private static func shared(
    _ storage: any SecureStorage, events: (any SecureStorage)? = nil, locks: FileStorage, key: String,
    signal: (@Sendable (_ key: String) -> ChangeSignal)? = nil
  ) -> Self {
    Self { realm in
      let key = "\(key).\(realm)"
      // So that other processes' changes are seen; a lock makes it as well, or says why it cannot.
      if signal == nil { try? locks.makeFolder() }
      return Realm(
        storage, key: key, realm: realm, writing: locks.writeLock(for: key),
        signal: signal?(key) ?? locks.signalFile(for: key), lock: locks.sessionLock(for: key),
        events: (
          PrefixedStorage(events ?? storage, prefix: "events.\(key)."), locks.writeLock(for: "events.\(key)")
        ))
    }
  }

  /// Kept in memory, until the process ends.
  public static var inMemory: Self { .secure(InMemoryStorage()) }

  /// The Keychain on Apple platforms. On Linux the Secret Service if it responds, otherwise owner-only files in the
  /// state folder of the user and this program. A session in files moves once the service responds; after that it is
  /// unavailable, not absent, while the service does not respond. If the keyring is locked, the first write asks the
  /// user at a display to unlock it; if no user can be asked, it goes into files.
  ///
  /// - Parameter key: one for each account of an app.
  public static func platformDefault(key: String = "session") -> Self {
    let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    #if canImport(Security)
    let folder = URL.userHome.appending(path: "Library/\(kept)/\(program)/AuthenticationKit")
    return .shared(KeychainStorage(service: program), locks: FileStorage(folder: folder), key: key)
    #else
    return .secretServiceOrFiles(service: program, in: stateFolder.appending(path: program), key: key)
    #endif
  }

  #if canImport(Security)
  #if os(tvOS)
  // An Apple TV keeps nothing in Application Support; the content of this folder is made anew when it was purged.
  private static let kept = "Caches"
  #else
  private static let kept = "Application Support"
  #endif

  /// The Keychain of an app and its extensions, which refresh one session together.
  ///
  /// Each names the same groups, in the capabilities App Groups and Keychain Sharing.
  ///
  /// ```swift
  /// options.storage = try .shared(appGroup: "group.org.example.notes", accessGroup: "TEAMID.org.example.notes")
  /// ```
  ///
  /// - Parameters:
  ///   - appGroup: holds the locks, and data that is not secret; the name of the Keychain items' service.
  ///   - accessGroup: of the Keychain, with the team's prefix; on all platforms but macOS an App Group is one as well.
  ///   - key: one for each account of an app.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` if this program is not in the App Group, which macOS does not
  ///   tell.
  ///
  /// See [Sharing access to keychain items](https://developer.apple.com/documentation/security/sharing-access-to-keychain-items-among-a-collection-of-apps).
  public static func shared(
    appGroup: String, accessGroup: String, key: String = "session"
  ) throws(AuthenticationError) -> Self {
    guard let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup) else {
      throw AuthenticationError(
        .invalidConfiguration, "This program is not in the App Group \(appGroup).",
        suggestion: "Add the capability App Groups, with this group, to the target.")
    }
    return .shared(
      KeychainStorage(service: appGroup, accessGroup: accessGroup),
      locks: FileStorage(folder: container.appending(path: "Library/\(kept)/AuthenticationKit")), key: key)
  }
  #endif

  /// `$XDG_STATE_HOME`, by default `~/.local/state`.
  private static var stateFolder: URL {
    if let folder = ProcessInfo.processInfo.environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
      return URL(filePath: folder, directoryHint: .isDirectory)
    }
    return URL.userHome.appending(path: ".local/state")
  }
}

#if os(Linux)
extension StorageLocation {
  /// The desktop's Secret Service (GNOME Keyring, KWallet), without a fallback if it does not respond.
  ///
  /// - Parameters:
  ///   - service: names the app in the Secret Service.
  ///   - folder: holds the locks between processes, and data that is not secret; it is part of the name under which the
  ///     session is kept, so that processes with different folders, and so different locks, never share a session.
  ///   - key: one for each account of an app.
  public static func secretService(_ service: String, locksIn folder: URL, key: String = "session") -> Self {
    let files = FileStorage(folder: folder)
    return shared(
      MarkedStorage(SecretServiceStorage(service: service, folder: folder), marks: files), locks: files, key: key)
  }

  /// The Secret Service or files: decided when the session is first read or written, not here.
  static func secretServiceOrFiles(service: String, in folder: URL, key: String) -> Self {
    let files = FileStorage(folder: folder)
    return shared(
      MigratingStorage(from: files, toWhereOpen: SecretServiceStorage(service: service, folder: folder)),
      locks: files, key: key)
  }
}

extension SecretServiceStorage {
  /// Secrets of one state folder, which programs with another folder do not read.
  package init(service: String, folder: URL) {
    let path = folder.standardizedFileURL.path(percentEncoded: false)
    self.init(service: "\(service) in \(path.hasSuffix("/") ? String(path.dropLast()) : path)")
  }
}
#endif

/// The values shared by the roots of one process that keep their sessions under one key of one storage.
private final class ProcessSharing: Sendable {
  struct Realm: Sendable {
    let refreshing = ProcessLock()
    let writing = ProcessLock()
    let events = ProcessLock()
    let signal = ChangeSignal.withinProcess()
  }

  private struct Known {
    weak var sharing: ProcessSharing?
  }

  private static let known = Mutex<[[String]: Known]>([:])

  // Retained, so that no other object gets this one's identity while this exists.
  private let storage: any SecureStorage
  private let realms = Mutex<[String: Realm]>([:])

  private init(_ storage: any SecureStorage) { self.storage = storage }

  /// Returns the shared value of the identity's roots; a new value if the storage has no identity.
  static func shared(by identity: [String]?, over storage: any SecureStorage) -> ProcessSharing {
    guard let identity else { return ProcessSharing(storage) }
    return known.withLock { known in
      if let sharing = known[identity]?.sharing { return sharing }
      known = known.filter { $0.value.sharing != nil }
      let sharing = ProcessSharing(storage)
      known[identity] = Known(sharing: sharing)
      return sharing
    }
  }

  func realm(
    _ name: String
  ) -> (refreshing: KeptLock, writing: KeptLock, events: KeptLock, signal: ChangeSignal) {
    let realm = realms.withLock { realms in
      let realm = realms[name] ?? Realm()
      realms[name] = realm
      return realm
    }
    return (
      KeptLock(lock: realm.refreshing, sharing: self), KeptLock(lock: realm.writing, sharing: self),
      KeptLock(lock: realm.events, sharing: self), realm.signal
    )
  }
}

/// A lock that retains its owner, so that the next root over the same storage finds it.
private struct KeptLock: BlockingLock {
  let lock: ProcessLock
  let sharing: ProcessSharing

  func tryAcquire() throws(AuthenticationError) -> Bool { try lock.tryAcquire() }
  func release() { lock.release() }
}
