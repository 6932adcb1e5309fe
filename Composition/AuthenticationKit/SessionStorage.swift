public import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// Where a session is kept, with the lock that other processes on the same place respect.
///
/// Each realm of a provider has a place of its own, so that no provider is ever given another's session.
public struct SessionStorage: Sendable {
  /// The store of one realm, and the lock that guards it.
  public struct Place: Sendable {
    /// Keeps the realm's session between launches.
    public let store: any SessionStore
    /// Shared with the other processes that use this store; nil where there are none.
    public let lock: (any SessionLock)?
    /// Keeps what a sign-in must find again after a relaunch.
    public let secrets: any SecureStorage

    /// A place for a store of your own; give a lock where several processes share it, and `secrets` where a sign-in
    /// that was begun in a browser may end after a relaunch.
    public init(
      store: any SessionStore, lock: (any SessionLock)? = nil, secrets: any SecureStorage = InMemoryStorage()
    ) {
      self.store = store
      self.lock = lock
      self.secrets = secrets
    }
  }

  /// The place for one realm.
  public let place: @Sendable (_ realm: String) -> Place

  /// Any rule that gives each realm a place of its own. It is called once for each ``MainRoot``.
  public init(place: @escaping @Sendable (_ realm: String) -> Place) {
    self.place = place
  }

  /// Any secure storage, for one process: all roots over the same storage, key and realm behave as one, as far as the
  /// storage tells which place it is (``SecureStorage/identity``); else all that are made with this value.
  ///
  /// A lock keeps the renewals of other processes apart, but none of their writes, and it cannot do both: it is held
  /// while a renewal writes. Processes that share a storage use ``secure(_:key:locksIn:)``.
  public static func secure(
    _ storage: any SecureStorage, key: String = "session", lock: (any SessionLock)? = nil
  ) -> Self {
    let place = ProcessPlace.shared(by: storage.identity?.with(key), over: storage)
    return Self { realm in
      let key = "\(key).\(realm)"
      let shared = place.realm(realm)
      let store = SecureSessionStore(storage, key: key, realm: realm)
      return Place(
        store: store.locked(by: shared.writing, telling: shared.signal), lock: lock ?? shared.renewing,
        secrets: PrefixedStorage(storage, prefix: "\(key).pending "))
    }
  }

  /// Any secure storage that several processes share: neither their renewals nor their writes meet, and each hears of
  /// what another has written.
  ///
  /// - Parameter folder: the same for all of them, and theirs alone; it holds the locks, and what is not secret.
  public static func secure(_ storage: any SecureStorage, key: String = "session", locksIn folder: URL) -> Self {
    let files = FileStorage(folder: folder)
    return shared(MarkedStorage(storage, marks: files), locks: files, key: key)
  }

  /// Files that only their owner can read; one folder may serve several processes and several keys.
  public static func files(in folder: URL, key: String = "session") -> Self {
    let files = FileStorage(folder: folder)
    return shared(files, locks: files, key: key) { files.changeSignal(for: $0) }
  }

  /// A storage that several processes share, with its locks in a folder that all of them know.
  private static func shared(
    _ storage: any SecureStorage, locks: FileStorage, key: String,
    signal: (@Sendable (_ key: String) -> ChangeSignal)? = nil
  ) -> Self {
    Self { realm in
      let key = "\(key).\(realm)"
      // Without its folder a lock keeps nobody out of values that are kept elsewhere.
      if signal == nil { try? locks.makeFolder() }
      return Place(
        store: SecureSessionStore(storage, key: key, realm: realm).locked(
          by: locks.writeLock(for: key), telling: signal?(key) ?? locks.signalFile(for: key)),
        lock: heldWhileRunning(locks.sessionLock(for: key)),
        secrets: PrefixedStorage(storage, prefix: "\(key).pending "))
    }
  }

  private static func heldWhileRunning(_ lock: FileLock) -> any SessionLock {
    #if canImport(Security) && !os(macOS)
    SuspendingLock(lock)
    #else
    lock
    #endif
  }

  /// Until the process ends.
  public static var inMemory: Self { .secure(InMemoryStorage()) }

  /// The Keychain where there is one. On Linux the Secret Service where it answers, else owner-only files, in the state
  /// folder of the user and this program; a session that is in files moves once the service answers, and one that has
  /// moved is unavailable, not absent, where the service is away. While the keyring is locked, what is stored first
  /// asks the person at a display to unlock it; where nobody can be asked it goes into files.
  public static var platformDefault: Self { platformDefault(key: "session") }

  /// The platform's default under another key: one key for each account of an app.
  public static func platformDefault(key: String) -> Self {
    let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    #if canImport(Security)
    let folder = URL.userHome.appending(path: "Library/Application Support/\(program)/AuthenticationKit")
    return .shared(KeychainStorage(service: program), locks: FileStorage(folder: folder), key: key)
    #elseif os(Linux)
    return .secretServiceOrFiles(service: program, in: stateFolder.appending(path: program), key: key)
    #else
    return .files(in: stateFolder.appending(path: program), key: key)
    #endif
  }

  /// `$XDG_STATE_HOME`, by default `~/.local/state`.
  private static var stateFolder: URL {
    if let folder = ProcessInfo.processInfo.environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
      return URL(filePath: folder, directoryHint: .isDirectory)
    }
    return URL.userHome.appending(path: ".local/state")
  }
}

#if os(Linux)
extension SessionStorage {
  /// The desktop's Secret Service (GNOME Keyring, KWallet), and nothing else where it is away.
  ///
  /// - Parameter folder: holds the locks between processes, and what is not secret; it is part of the name under which
  ///   the session is kept, so that two folders never share one without sharing its locks.
  public static func secretService(_ service: String, locksIn folder: URL, key: String = "session") -> Self {
    let files = FileStorage(folder: folder)
    return shared(
      MarkedStorage(SecretServiceStorage(service: service, folder: folder), marks: files), locks: files, key: key)
  }

  /// Decided when the session is first read or written, not here.
  static func secretServiceOrFiles(service: String, in folder: URL, key: String) -> Self {
    let files = FileStorage(folder: folder)
    return shared(
      MigratingStorage(from: files, toWhereOpen: SecretServiceStorage(service: service, folder: folder)),
      locks: files, key: key)
  }
}

extension SecretServiceStorage {
  /// Secrets of one state folder, which no other folder's program reads.
  package init(service: String, folder: URL) {
    let path = folder.standardizedFileURL.path(percentEncoded: false)
    self.init(service: "\(service) in \(path.hasSuffix("/") ? String(path.dropLast()) : path)")
  }
}
#endif
