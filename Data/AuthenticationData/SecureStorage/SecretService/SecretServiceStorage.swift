#if os(Linux)
public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps secrets in the desktop's Secret Service (GNOME Keyring, KWallet), in the default keyring of the user.
///
/// libsecret is looked up at run time; where it, the D-Bus session or a keyring is missing, each call throws
/// ``AuthenticationError/Code/storageUnavailable``. A locked keyring is unavailable too, never absent; where there is a
/// display the person is asked to unlock it, and one who does not ends the call with
/// ``AuthenticationError/Code/userPresenceRequired``.
///
/// A call blocks: each question to the service for at most 10 seconds, a person who is asked for at most 60.
///
/// See [Secret Service](https://specifications.freedesktop.org/secret-service-spec/latest/).
public struct SecretServiceStorage: SecureStorage {
  private let service: String
  private let limit: Duration
  private let patience: Duration?

  /// Asks for nothing yet.
  ///
  /// - Parameters:
  ///   - service: Names the secrets' owner; what is kept under another name is not seen.
  ///   - asksToUnlock: Whether a locked keyring may ask the person; by default where there is a display.
  public init(service: String, asksToUnlock: Bool? = nil) {
    self.init(
      service: service, limit: .seconds(10), patience: asksToUnlock ?? SessionBus.hasDisplay ? .seconds(60) : nil)
  }

  package init(service: String, limit: Duration, patience: Duration?) {
    self.service = service
    self.limit = limit
    self.patience = patience
  }

  /// Whether the service could keep secrets.
  public enum Availability: Sendable {
    /// It could now.
    case open
    /// It could once the person unlocks the keyring.
    case locked
    /// There is no service, or no keyring.
    case absent
  }

  /// Whether secrets could be kept now. Asks nobody to unlock anything.
  public var availability: Availability {
    guard let isOpen = try? SecretServiceAccess(to: item(""), within: limit).isOpen() else { return .absent }
    return isOpen ? .open : .locked
  }

  /// Whether secrets could be kept now. Asks nobody to unlock anything.
  public var isOpen: Bool { availability == .open }

  /// Whether a locked keyring asks the person.
  package var asksToUnlock: Bool { patience != nil }

  /// Asks the person to unlock the keyring, where it is locked and somebody can be asked.
  ///
  /// Throws ``AuthenticationError/Code/userPresenceRequired`` if the person does not, and
  /// ``AuthenticationError/Code/storageUnavailable``.
  public func unlock() throws(AuthenticationError) {
    try SecretServiceAccess(to: item(""), within: limit).open(asking: patience)
  }

  /// The service, in this user's keyring.
  public var identity: StorageIdentity? { StorageIdentity("secret-service", service) }

  public func read(_ key: String) throws(AuthenticationError) -> Data? {
    let access = try SecretServiceAccess(to: item(key), within: limit)
    let items = try found(by: access, withSecrets: true)
    if items.sorted.isEmpty { return nil }
    guard let text = items.text else { throw .secretServiceFailed(nil) }
    guard let value = Data(base64Encoded: text) else { throw .keyringValueForeign }
    return value
  }

  /// An item that exists is given a new secret: nothing is ever deleted to make room.
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

  /// "Not found" counts only when the keyring was seen to be open: a locked one finds nothing either.
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
