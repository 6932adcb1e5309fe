#if os(Linux)
public import AuthenticationDomain
public import Foundation

/// Stores secrets in the desktop's Secret Service (GNOME Keyring, KWallet), in the user's default keyring.
///
/// libsecret is looked up at run time. If libsecret, the D-Bus session or a keyring is missing, each call throws
/// ``AuthenticationError/storageUnavailable``. A locked keyring is unavailable too, never absent. If there is a
/// display, the user is asked to unlock it; if they do not, the call throws
/// ``AuthenticationError/userPresenceRequired``.
///
/// A call blocks: for at most 10 seconds for each request to the service, and at most 60 seconds for a user who is
/// asked.
///
/// See [Secret Service](https://specifications.freedesktop.org/secret-service-spec/latest/).
///
/// ```swift
/// options.storage = .secretService("org.example.notes", locksIn: folder)
/// ```
public struct SecretServiceStorage: SecureStorage {
  private let service: String
  private let limit: Duration
  private let promptTimeout: Duration?

  /// Creates a storage; sends no request yet.
  ///
  /// - Parameters:
  ///   - service: the secrets' owner; secrets of another name are not visible.
  ///   - asksToUnlock: whether to ask the user to unlock a locked keyring; by default if there is a display.
  public init(service: String, asksToUnlock: Bool? = nil) {
    self.init(
      service: service, limit: .seconds(10), promptTimeout: asksToUnlock ?? SessionBus.hasDisplay ? .seconds(60) : nil)
  }

  init(service: String, limit: Duration, promptTimeout: Duration?) {
    self.service = service
    self.limit = limit
    self.promptTimeout = promptTimeout
  }

  /// Whether the service can store secrets.
  package enum Availability: Sendable {
    /// It can now.
    case open
    /// It can once the user unlocks the keyring.
    case locked
    /// There is no service, or no keyring.
    case absent
  }

  /// Whether secrets can be stored now. Does not ask the user to unlock anything.
  package var availability: Availability {
    guard let isOpen = try? SecretServiceAccess(to: item(""), within: limit).isOpen() else { return .absent }
    return isOpen ? .open : .locked
  }

  /// Whether secrets can be stored now. Does not ask the user to unlock anything.
  package var isOpen: Bool { availability == .open }

  /// Whether the user is asked to unlock a locked keyring.
  var asksToUnlock: Bool { promptTimeout != nil }

  /// Asks the user to unlock the keyring, if it is locked and there is a display.
  ///
  /// - Throws: ``AuthenticationError/userPresenceRequired`` if the user does not unlock it, and
  ///   ``AuthenticationError/storageUnavailable``.
  package func unlock() throws(AuthenticationError) {
    try SecretServiceAccess(to: item(""), within: limit).open(asking: promptTimeout)
  }

  /// The service name, in this user's keyring.
  public var identity: [String]? { ["secret-service", service] }

  public func read(_ key: String) throws(AuthenticationError) -> Data? {
    do throws(AuthenticationError) { return try value(of: key) } catch {
      if error != .storageCorrupt { KeyringWatch.shared.begin() }
      throw error
    }
  }

  private func value(of key: String) throws(AuthenticationError) -> Data? {
    let access = try SecretServiceAccess(to: item(key), within: limit)
    let items = try found(by: access, withSecrets: true)
    if items.sorted.isEmpty { return nil }
    guard let text = items.text else { throw .secretServiceFailed }
    guard let value = Data(base64Encoded: text) else { throw .keyringValueForeign }
    return value
  }

  /// Updates the secret of an existing item: nothing is deleted first.
  public func write(_ value: Data, for key: String) throws(AuthenticationError) {
    let access = try SecretServiceAccess(to: item(key), within: limit)
    let text = value.base64EncodedString()
    if let existing = try found(by: access, withSecrets: false).sorted.first {
      try access.set(text, of: existing)
    } else {
      try access.add(text, label: item(key).label)
    }
  }

  public func delete(_ key: String) throws(AuthenticationError) {
    let access = try SecretServiceAccess(to: item(key), within: limit)
    for existing in try found(by: access, withSecrets: false).sorted { try access.delete(existing) }
  }

  /// "Not found" counts only if the keyring was seen to be open: a search in a locked one also finds nothing.
  private func found(
    by access: SecretServiceAccess, withSecrets: Bool
  ) throws(AuthenticationError) -> SecretServiceItems {
    let items = try access.items(withSecrets: withSecrets)
    if let locked = items.locked {
      try access.unlock(locked, asking: promptTimeout)
    } else if items.sorted.isEmpty {
      try access.open(asking: promptTimeout)
    } else {
      return items
    }
    let again = try access.items(withSecrets: withSecrets)
    if again.locked != nil { throw .keyringLocked }
    return again
  }

  private func item(_ key: String) -> SecretServiceItem { SecretServiceItem(service: service, key: key) }
}

/// One access to the Secret Service, with a separate connection that is closed afterwards, so that a service which
/// was restarted in between is never used with an old session.
@safe struct SecretServiceAccess {
  private let library: Libsecret
  private let context: MainContext
  private let limit: Duration
  private let service: Handle
  private let schema: Handle
  private let attributes: Handle

  init(to item: SecretServiceItem, within limit: Duration) throws(AuthenticationError) {
    guard SessionBus.isNamed else { throw .sessionBusMissing }
    guard let library = Libsecret.shared else { throw .libsecretMissing }
    context = MainContext(library)
    let service = unsafe try context.call(within: limit) {
      unsafe library.connect(library.serviceType(), nil, Self.openSession, $0, $1, $2)
    } finish: {
      unsafe library.connected($0, $1)
    }
    guard let service = unsafe service else { throw .secretServiceFailed }
    self.library = library
    self.limit = limit
    unsafe self.service = library.owned(service)
    attributes = library.table(item.attributes)
    schema = library.schema(SecretServiceItem.schema, attributes: item.attributes.keys)
  }

  // SECRET_SERVICE_OPEN_SESSION, SECRET_SEARCH_ALL, SECRET_SEARCH_LOAD_SECRETS
  private static let openSession: CInt = 1 << 1
  private static let all: CInt = 1 << 1
  private static let withSecrets: CInt = 1 << 3

  // MARK: Items

  /// Items of every collection, always in the same order.
  func items(withSecrets: Bool) throws(AuthenticationError) -> SecretServiceItems {
    let flags = Self.all | (withSecrets ? Self.withSecrets : 0)
    let list = unsafe try context.call(within: limit) {
      unsafe library.search(service.pointer, schema.pointer, attributes.pointer, flags, $0, $1, $2)
    } finish: {
      unsafe library.searched(service.pointer, $0, $1)
    }
    return unsafe SecretServiceItems(list: list, library)
  }

  /// Replaces the item with the same attributes in the default collection.
  func add(_ text: String, label: String) throws(AuthenticationError) {
    let value = library.value(text)
    _ = unsafe try context.call(within: limit) {
      unsafe library.store(service.pointer, schema.pointer, attributes.pointer, nil, label, value.pointer, $0, $1, $2)
    } finish: {
      unsafe library.stored(service.pointer, $0, $1)
    }
  }

  func set(_ text: String, of item: Handle) throws(AuthenticationError) {
    let value = library.value(text)
    _ = unsafe try context.call(within: limit) {
      unsafe library.setSecret(item.pointer, value.pointer, $0, $1, $2)
    } finish: {
      unsafe library.secretSet(item.pointer, $0, $1)
    }
  }

  func delete(_ item: Handle) throws(AuthenticationError) {
    _ = unsafe try context.call(within: limit) {
      unsafe library.delete(item.pointer, $0, $1, $2)
    } finish: {
      unsafe library.deleted(item.pointer, $0, $1)
    }
  }

  // MARK: Locked or open

  /// Whether the collection for new secrets is open; throws if there is none.
  func isOpen() throws(AuthenticationError) -> Bool {
    let collection = try defaultCollection()
    return unsafe library.isCollectionLocked(collection.pointer) == 0
  }

  /// Opens the default collection; `promptTimeout` is the timeout for the user; nil does not ask.
  func open(asking promptTimeout: Duration?) throws(AuthenticationError) {
    let collection = try defaultCollection()
    if unsafe library.isCollectionLocked(collection.pointer) != 0 { try unlock(collection, asking: promptTimeout) }
  }

  /// Opens a collection, or that of an item.
  func unlock(_ object: Handle, asking promptTimeout: Duration?) throws(AuthenticationError) {
    guard let promptTimeout else { throw .keyringLocked }
    let list = unsafe library.appendToList(nil, object.pointer)!
    defer { unsafe library.freeList(list) }
    let count = unsafe try context.call(within: promptTimeout, late: .keyringNotUnlocked) {
      unsafe library.unlock(service.pointer, list, $0, $1, $2)
    } finish: {
      unsafe library.unlocked(service.pointer, $0, nil, $1)
    }
    if count < 1 { throw .keyringNotUnlocked }
  }

  private func defaultCollection() throws(AuthenticationError) -> Handle {
    let collection = unsafe try context.call(within: limit) {
      unsafe library.findCollection(service.pointer, "default", 0, $0, $1, $2)
    } finish: {
      unsafe library.foundCollection($0, $1)
    }
    guard let collection = unsafe collection else { throw .keyringMissing }
    return unsafe library.owned(collection)
  }
}

extension AuthenticationError {
  static let libsecretMissing = Self(
    .storageUnavailable, "libsecret is not installed, so that the Secret Service cannot be reached.",
    suggestion: "Install it (Debian: libsecret-1-0), or keep the session in files.")

  static let sessionBusMissing = Self(
    .storageUnavailable, "There is no D-Bus session here, and so no Secret Service.",
    suggestion: "Try again in the desktop's session; what is stored was left as it is.")

  static let keyringMissing = Self(
    .storageUnavailable, "The Secret Service has no default keyring.",
    suggestion: "Create one in the desktop's settings, or keep the session in files.")

  static let keyringLocked = keyring("The keyring is locked.")

  static let keyringNotUnlocked = Self(
    .userPresenceRequired, "The user did not unlock the keyring.",
    suggestion: "Keep the session and ask again when the user wants to go on.")

  static let keyringValueForeign = Self(
    .storageCorrupt, "What the keyring holds was not written here; it was left as it is.",
    suggestion: "Signing in replaces it.")

  static let secretServiceFailed = keyring("The Secret Service failed.")
  static let secretServiceLate = keyring("The Secret Service did not answer in time.")

  private static func keyring(_ message: String) -> Self {
    Self(
      .storageUnavailable, message,
      suggestion: "Keep the session and try again once it is unlocked; what is stored was left as it is."
    ).with(\.reason, .keyring)
  }
}

/// The attributes of one secret: none of them is secret.
struct SecretServiceItem {
  let service: String
  let key: String

  /// The name that the desktop's own tools show.
  var label: String { "\(service): \(key)" }

  /// D-Bus strings cannot contain a NUL.
  var attributes: [String: String] { ["service": Self.escaped(service), "key": Self.escaped(key)] }

  static let schema = "AuthenticationKit.Secret"

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { ["\0": "%00", "%": "%25"][$0] ?? String($0) }.joined()
  }
}

/// The items that a search has found.
struct SecretServiceItems {
  /// Sorted by path, so that every process has the same first item.
  let sorted: [Handle]
  private let library: Libsecret

  /// Takes ownership of a `GList` of items.
  init(list: Libsecret.Object?, _ library: Libsecret) {
    self.library = library
    var items: [(path: String, item: Handle)] = []
    var next = unsafe list
    while let node = unsafe next {
      // Data, next, previous.
      let fields = unsafe UnsafePointer<Libsecret.Object?>(node)
      if let item = unsafe fields[0] {
        let path = unsafe library.pathOfProxy(item).map { unsafe String(cString: $0) } ?? ""
        items.insert((path, unsafe Handle(item) { unsafe library.unref($0) }), at: items.count { $0.path <= path })
      }
      unsafe next = fields[1]
    }
    if let list = unsafe list { unsafe library.freeList(list) }
    sorted = items.map(\.item)
  }

  var locked: Handle? { sorted.first { unsafe library.isItemLocked($0.pointer) != 0 } }

  /// The secret of the first item; nil if the service did not return it.
  var text: String? {
    guard let item = sorted.first, let pointer = unsafe library.secretOfItem(item.pointer) else { return nil }
    let value = unsafe Handle(pointer) { unsafe library.unrefValue($0) }
    var count = 0
    guard let bytes = unsafe library.bytesOfValue(value.pointer, &count) else { return nil }
    return unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
#endif
