#if canImport(Security)
public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps secrets as generic passwords in the data protection keychain, on this device only and never in iCloud.
///
/// A locked keychain throws ``AuthenticationError/Code/storageUnavailable``, with the `OSStatus` as its cause. "Not
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

  /// What the system requires of the person before it returns an item. The requirement is bound to the item by an
  /// access control, so that no change of the app's own state can bypass it. If the system cannot create the access
  /// control, a write throws ``AuthenticationError/Code/storageUnavailable`` and leaves the stored value: nothing is
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
  ///   - localAuthentication: requires the person at each access; such a session is not refreshed in the background.
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
#endif
