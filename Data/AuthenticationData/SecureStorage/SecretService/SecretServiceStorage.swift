#if os(Linux)
public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Stores secrets in the desktop's Secret Service (GNOME Keyring, KWallet), in the user's default keyring.
///
/// libsecret is looked up at run time. If libsecret, the D-Bus session or a keyring is missing, each call throws
/// ``AuthenticationError/Code/storageUnavailable``. A locked keyring is unavailable too, never absent. If there is a
/// display, the person is asked to unlock it; if they do not, the call throws
/// ``AuthenticationError/Code/userPresenceRequired``.
///
/// A call blocks: for at most 10 seconds for each request to the service, and at most 60 seconds for a person who is
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
  private let patience: Duration?

  /// Creates a storage; sends no request yet.
  ///
  /// - Parameters:
  ///   - service: the secrets' owner; secrets of another name are not visible.
  ///   - asksToUnlock: whether to ask the person to unlock a locked keyring; by default if there is a display.
  public init(service: String, asksToUnlock: Bool? = nil) {
    self.init(
      service: service, limit: .seconds(10), patience: asksToUnlock ?? SessionBus.hasDisplay ? .seconds(60) : nil)
  }

  package init(service: String, limit: Duration, patience: Duration?) {
    self.service = service
    self.limit = limit
    self.patience = patience
  }

  /// Whether the service can store secrets.
  package enum Availability: Sendable {
    /// It can now.
    case open
    /// It can once the person unlocks the keyring.
    case locked
    /// There is no service, or no keyring.
    case absent
  }

  /// Whether secrets can be stored now. Does not ask the person to unlock anything.
  package var availability: Availability {
    guard let isOpen = try? SecretServiceAccess(to: item(""), within: limit).isOpen() else { return .absent }
    return isOpen ? .open : .locked
  }

  /// Whether secrets can be stored now. Does not ask the person to unlock anything.
  package var isOpen: Bool { availability == .open }

  /// Whether the person is asked to unlock a locked keyring.
  package var asksToUnlock: Bool { patience != nil }

  /// Asks the person to unlock the keyring, if it is locked and there is a display.
  ///
  /// - Throws: ``AuthenticationError/Code/userPresenceRequired`` if the person does not unlock it, and
  ///   ``AuthenticationError/Code/storageUnavailable``.
  public func unlock() throws(AuthenticationError) {
    try SecretServiceAccess(to: item(""), within: limit).open(asking: patience)
  }

  /// The service name, in this user's keyring.
  public var identity: StorageIdentity? { StorageIdentity("secret-service", service) }

  public func read(_ key: String) throws(AuthenticationError) -> Data? {
    let access = try SecretServiceAccess(to: item(key), within: limit)
    let items = try found(by: access, withSecrets: true)
    if items.sorted.isEmpty { return nil }
    guard let text = items.text else { throw .secretServiceFailed(nil) }
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
      try access.unlock(locked, asking: patience)
    } else if items.sorted.isEmpty {
      try access.open(asking: patience)
    } else {
      return items
    }
    let again = try access.items(withSecrets: withSecrets)
    if again.locked != nil { throw .keyringLocked }
    return again
  }

  private func item(_ key: String) -> SecretServiceItem { SecretServiceItem(service: service, key: key) }
}
#endif
