#if canImport(Security)
public import AuthenticationDomain
public import Foundation
import Security

/// Keeps secrets as generic passwords in the data protection keychain, on this device only and never in iCloud.
///
/// A locked keychain throws ``AuthenticationError/storageUnavailable``, with the `OSStatus` as its cause. "Not
/// found" counts only after a canary item of the same accessibility was found or added, under the key
/// `authentication-kit.canary.…`.
///
/// A call blocks, and may wait for the system: do not call it on the main actor. Items remain when the app is removed.
/// macOS requires a signed app with the keychain-access-groups entitlement. Type-checked on Linux against hand-written
/// stubs (`Tests/AppleStubs/check`); the order of its calls is tested against a fake.
///
/// See [Keychain items](https://developer.apple.com/documentation/security/keychain-items).
///
/// ```swift
/// options.storage = .secure(KeychainStorage(service: "org.example.notes", accessGroup: "TEAM.org.example"), locksIn: folder)
/// ```
public struct KeychainStorage: SecureStorage {
  /// When the system decrypts an item. Each choice binds the item to this device: no backup carries it to another one.
  public struct Accessibility: Sendable, Hashable {
    /// After the first unlock since a restart, so that background work can refresh a session.
    public static let afterFirstUnlockThisDeviceOnly = Self(choice: .afterFirstUnlockThisDeviceOnly)
    /// Only while the device is unlocked.
    public static let whenUnlockedThisDeviceOnly = Self(choice: .whenUnlockedThisDeviceOnly)

    let choice: GenericPasswords.Accessibility
  }

  /// What the system requires of the user before it returns an item. The requirement is bound to the item by an
  /// access control, so that no change of the app's own state can bypass it. If the system cannot create the access
  /// control, a write throws ``AuthenticationError/storageUnavailable`` and leaves the stored value: nothing is
  /// stored unprotected.
  ///
  /// See [SecAccessControlCreateFlags](https://developer.apple.com/documentation/security/secaccesscontrolcreateflags).
  public struct LocalAuthentication: Sendable, Hashable {
    /// Face, finger or the device's passcode.
    public static let userPresence = Self(choice: .userPresence)
    /// A face or finger that was enrolled when the item was written; a later enrolment makes the item unreadable.
    public static let currentBiometry = Self(choice: .currentBiometry)

    let choice: GenericPasswords.LocalAuthentication
  }

  private let passwords: GenericPasswords

  /// Creates a storage; reads and adds nothing yet.
  ///
  /// - Parameters:
  ///   - service: the items' owner; for two accounts in one app use two services.
  ///   - accessGroup: shares the items with the team's other apps and extensions; includes the team's prefix.
  ///   - accessibility: when the items can be read.
  ///   - localAuthentication: requires the user at each access; such a session is not refreshed in the background.
  public init(
    service: String, accessGroup: String? = nil, accessibility: Accessibility = .afterFirstUnlockThisDeviceOnly,
    localAuthentication: LocalAuthentication? = nil
  ) {
    passwords = GenericPasswords(
      service: service, accessGroup: accessGroup, accessibility: accessibility.choice,
      localAuthentication: localAuthentication?.choice, items: SecurityItems())
  }

  /// The service, in its access group.
  public var identity: StorageIdentity? {
    StorageIdentity("keychain", passwords.service, passwords.accessGroup ?? "")
  }

  public func read(_ key: String) throws(AuthenticationError) -> Data? { try passwords.read(key) }

  public func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try passwords.write(value, for: key)
  }

  public func delete(_ key: String) throws(AuthenticationError) { try passwords.delete(key) }
}

/// The implementation with Keychain Services.
struct SecurityItems: KeychainItems {
  func copy(_ query: KeychainAttributes) -> (status: KeychainStatus, value: Data?) {
    guard var dictionary = query.dictionary else { return (.invalidParameter, nil) }
    dictionary[kSecReturnData as String] = true
    dictionary[kSecMatchLimit as String] = kSecMatchLimitOne
    var result: CFTypeRef?
    let status = unsafe SecItemCopyMatching(dictionary as CFDictionary, &result)
    return (KeychainStatus(rawValue: status), result as? Data)
  }

  func add(_ attributes: KeychainAttributes) -> KeychainStatus {
    guard let item = attributes.dictionary else { return .invalidParameter }
    return KeychainStatus(rawValue: SecItemAdd(item as CFDictionary, nil))
  }

  func update(_ query: KeychainAttributes, with changes: KeychainAttributes) -> KeychainStatus {
    guard let query = query.dictionary, let changes = changes.dictionary else { return .invalidParameter }
    return KeychainStatus(rawValue: SecItemUpdate(query as CFDictionary, changes as CFDictionary))
  }

  func delete(_ query: KeychainAttributes) -> KeychainStatus {
    guard let query = query.dictionary else { return .invalidParameter }
    return KeychainStatus(rawValue: SecItemDelete(query as CFDictionary))
  }
}

extension KeychainAttributes {
  /// Nil if the system cannot create one of the attributes: an item is never stored without its access control.
  fileprivate var dictionary: [String: Any]? {
    var dictionary: [String: Any] = [:]
    for attribute in self {
      let (key, value) = attribute.entry
      guard let value else { return nil }
      dictionary[key as String] = value
    }
    return dictionary
  }
}

extension KeychainAttribute {
  fileprivate var entry: (key: CFString, value: Any?) {
    switch self {
    case .genericPassword: (kSecClass, kSecClassGenericPassword)
    case .service(let service): (kSecAttrService, service)
    case .account(let account): (kSecAttrAccount, account)
    case .accessGroup(let group): (kSecAttrAccessGroup, group)
    case .accessible(let accessibility): (kSecAttrAccessible, accessibility.constant)
    case .accessControl(let accessibility, let authentication):
      (kSecAttrAccessControl, SecAccessControlCreateWithFlags(nil, accessibility.constant, authentication.flags, nil))
    case .synchronizable(let isOn): (kSecAttrSynchronizable, isOn)
    case .dataProtectionKeychain(let isOn): (kSecUseDataProtectionKeychain, isOn)
    case .value(let data): (kSecValueData, data)
    }
  }
}

extension GenericPasswords.Accessibility {
  fileprivate var constant: CFString {
    switch self {
    case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    }
  }
}

extension GenericPasswords.LocalAuthentication {
  fileprivate var flags: SecAccessControlCreateFlags {
    switch self {
    case .userPresence: .userPresence
    case .currentBiometry: .biometryCurrentSet
    }
  }
}
#endif
