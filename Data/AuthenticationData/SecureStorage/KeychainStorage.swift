#if canImport(Security)
public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps secrets as generic passwords in the data protection keychain, on this device only and never in iCloud.
///
/// A locked keychain throws ``AuthenticationError/Code/storageUnavailable``, with the `OSStatus` as its cause. Absence is
/// believed only after a canary item of the same accessibility was found or added, under the key `authentication-kit.canary.…`.
///
/// A call blocks, and may wait for the system: keep it off the main actor. Items outlive the app's removal.
/// macOS asks for a signed app with the keychain-access-groups entitlement.
/// Type-checked on Linux against hand-written stubs (`Tests/AppleStubs/check`), its order of calls tested against a fake.
///
/// See [Keychain items](https://developer.apple.com/documentation/security/keychain-items).
public struct KeychainStorage: SecureStorage {
  /// When the system decrypts an item. Each choice binds it to this device: no backup carries it to another one.
  public struct Accessibility: Sendable, Hashable {
    /// From the first unlock after a restart on, so that work in the background can renew a session.
    public static let afterFirstUnlockThisDeviceOnly = Self(choice: .afterFirstUnlockThisDeviceOnly)
    /// Only while the device is unlocked.
    public static let whenUnlockedThisDeviceOnly = Self(choice: .whenUnlockedThisDeviceOnly)

    let choice: GenericPasswords.Accessibility
  }

  /// What the system asks of the person before it gives an item out: bound to the item by an access control, so that no
  /// change of the app's own state can skip it. Where the system makes no such access control, a write throws
  /// ``AuthenticationError/Code/storageUnavailable`` and leaves what was stored: nothing is kept without its gate.
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

  /// Reads and adds nothing yet.
  ///
  /// - Parameters:
  ///   - service: Names the items' owner; two accounts in one app take two services.
  ///   - accessGroup: Shares the items with the team's other apps and extensions, with the team's prefix.
  ///   - localAuthentication: Asks the person at each access; a session kept like this is not renewed in the background.
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
