public import AuthenticationDomain
public import Foundation
#if canImport(Security)
import Security
import Synchronization
#endif
#if canImport(UIKit) && !os(watchOS)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif
#if canImport(LocalAuthentication)
import LocalAuthentication
#endif

/// Keeps secrets as generic passwords in the data protection keychain, on this device only and never in iCloud.
///
/// A locked keychain throws ``AuthenticationError/storageUnavailable``, with the `OSStatus` as its cause. "Not
/// found" counts only after a canary item of the same accessibility was found or added, under the key
/// `authentication-kit.canary.…`.
///
/// A call blocks, and may wait for the system: do not call it on the main actor. Items remain when the app is removed.
/// macOS requires a signed app with the keychain-access-groups entitlement: elsewhere the status is -34018, and the
/// error names the remedy. Apple platforms; type-checked for them (`Tests/AppleStubs/check`), and never run there; the
/// order of its calls is tested against a fake.
///
/// See [Keychain items](https://developer.apple.com/documentation/security/keychain-items).
///
/// ```swift
/// options.storage = .secure(KeychainStorage(service: "org.example.notes", accessGroup: "TEAM.org.example"), locksIn: folder)
/// ```
public struct KeychainStorage: SecureStorage {
  /// When the system decrypts an item. Each choice binds the item to this device: no backup carries it to another one.
  public enum Accessibility: String, Sendable {
    /// After the first unlock since a restart, so that background work can refresh a session.
    case afterFirstUnlockThisDeviceOnly
    /// Only while the device is unlocked.
    case whenUnlockedThisDeviceOnly
  }

  /// The presence that the system requires of the user before it returns an item. The requirement is bound to the item
  /// by an access control, so that no change of the app's own state can bypass it. If the system cannot create the
  /// access control, a write throws ``AuthenticationError/storageUnavailable`` and leaves the stored value: nothing is
  /// stored unprotected.
  ///
  /// See [SecAccessControlCreateFlags](https://developer.apple.com/documentation/security/secaccesscontrolcreateflags).
  public enum LocalAuthentication: Sendable {
    /// Face, finger or the device's passcode.
    case userPresence
    /// A face or finger that was enrolled when the item was written; a later enrolment makes the item unreadable.
    case currentBiometry
  }

  let service: String
  let accessGroup: String?
  let accessibility: Accessibility
  var localAuthentication: LocalAuthentication?
  let items: any KeychainItems

  /// The service, in its access group.
  public var identity: [String]? { ["keychain", service, accessGroup ?? ""] }

  /// The same items for data that is no secret: reading and writing them asks no user.
  package var withoutLocalAuthentication: KeychainStorage {
    var storage = self
    storage.localAuthentication = nil
    return storage
  }

  /// "Not found" counts only if the keychain was seen to be open first: a prewarmed launch gets it from a locked
  /// keychain.
  public func read(_ key: String) throws(AuthenticationError) -> Data? {
    if let value = try value(of: key) { return value }
    try proveOpen()
    return try value(of: key)
  }

  /// Never deletes before it adds: another process would find no item in between.
  public func write(_ value: Data, for key: String) throws(AuthenticationError) {
    var status = update(key, to: value)
    if status == .itemNotFound { status = items.add(query(key) + content(value)) }
    if status == .duplicateItem { status = update(key, to: value) }
    try status.expectSuccess()
  }

  public func delete(_ key: String) throws(AuthenticationError) {
    var status = items.delete(query(key))
    if status == .itemNotFound {
      try proveOpen()
      status = items.delete(query(key))
    }
    if status != .itemNotFound { try status.expectSuccess() }
  }

  /// Finds or adds an item of the same protection class that is never deleted; it requires no face or finger.
  private func proveOpen() throws(AuthenticationError) {
    let canary = "authentication-kit.canary.\(accessibility.rawValue)"
    if try value(of: canary) != nil { return }
    let status = items.add(query(canary) + [.value(Data([1])), .accessible(accessibility)])
    if status == .duplicateItem, try value(of: canary) != nil { return }
    try status.expectSuccess()
  }

  private func value(of key: String) throws(AuthenticationError) -> Data? {
    let (status, value) = items.copy(query(key))
    if status == .itemNotFound { return nil }
    try status.expectSuccess()
    return value ?? Data()
  }

  private func update(_ key: String, to value: Data) -> KeychainStatus {
    items.update(query(key), with: content(value))
  }

  /// The accessibility is not part of the query: an item written with another one must still be found.
  private func query(_ key: String) -> KeychainAttributes {
    var query: KeychainAttributes = [
      .genericPassword, .service(service), .account(key), .synchronizable(false), .dataProtectionKeychain(true),
    ]
    if let accessGroup { query.append(.accessGroup(accessGroup)) }
    return query
  }

  private func content(_ value: Data) -> KeychainAttributes {
    [.value(value), localAuthentication.map { .accessControl(accessibility, $0) } ?? .accessible(accessibility)]
  }
}

extension KeychainStatus {
  fileprivate func expectSuccess() throws(AuthenticationError) {
    guard self != .success else { return }
    var error: AuthenticationError =
      switch self {
      case .interactionNotAllowed:
        .init(
          .storageUnavailable, "The keychain is locked.",
          suggestion: "Keep the session and try again once the device is unlocked."
        ).with(\.reason, .keyring)
      case .userCanceled, .authFailed:
        .init(
          .userPresenceRequired, "The user did not unlock the item.",
          suggestion: "Keep the session and ask again when the user wants to go on.")
      case .invalidParameter:
        .init(
          .storageUnavailable, "The keychain cannot do this, or make an item's access control; nothing was changed.",
          suggestion: "Keep the session; where local authentication is asked for, see whether this device has it.")
      case .missingEntitlement:
        .init(
          .storageUnavailable, "This program may not use the keychain, or not this access group.",
          suggestion: "Sign it with the entitlement keychain-access-groups; an unsigned command line tool keeps its "
            + "session in files: options.storage = .files(in: folder).")
      default:
        .init(.storageUnavailable, "The keychain failed.", suggestion: "Look up the OSStatus.")
      }
    error.cause = .init(domain: "OSStatus", code: Int(rawValue))
    throw error
  }
}

/// The four Keychain Services calls on generic passwords, without any logic.
protocol KeychainItems: Sendable {
  func copy(_ query: KeychainAttributes) -> (status: KeychainStatus, value: Data?)
  func add(_ attributes: KeychainAttributes) -> KeychainStatus
  func update(_ query: KeychainAttributes, with changes: KeychainAttributes) -> KeychainStatus
  func delete(_ query: KeychainAttributes) -> KeychainStatus
}

typealias KeychainAttributes = [KeychainAttribute]

/// An attribute of a query or an item, by a name that exists on every platform.
enum KeychainAttribute: Sendable, Hashable {
  case genericPassword
  case service(String)
  case account(String)
  case accessGroup(String)
  case accessible(KeychainStorage.Accessibility)
  case accessControl(KeychainStorage.Accessibility, KeychainStorage.LocalAuthentication)
  case synchronizable(Bool)
  case dataProtectionKeychain(Bool)
  case value(Data)
}

/// An `OSStatus`, with the values that are handled here; the numbers are those of `SecBase.h`.
struct KeychainStatus: RawRepresentable, Sendable, Hashable {
  let rawValue: Int32

  static let success = Self(rawValue: 0)
  /// The system cannot create an item, or an access control, as requested.
  static let invalidParameter = Self(rawValue: -50)
  static let duplicateItem = Self(rawValue: -25299)
  static let itemNotFound = Self(rawValue: -25300)
  /// The device is locked, and the item's protection class does not allow access.
  static let interactionNotAllowed = Self(rawValue: -25308)
  /// The user closed the prompt for a face, a finger or the passcode.
  static let userCanceled = Self(rawValue: -128)
  /// The face, the finger or the passcode did not match.
  static let authFailed = Self(rawValue: -25293)
  /// The program is not signed with the access group.
  static let missingEntitlement = Self(rawValue: -34018)
}

#if canImport(Security)
extension KeychainStorage {
  /// Creates a storage; reads and adds nothing yet.
  ///
  /// - Parameters:
  ///   - service: the items' owner; for two accounts in one app use two services.
  ///   - accessGroup: shares the items with the team's other apps and extensions; includes the team's prefix. An item
  ///     that one of them erases is erased for all: see the marks of
  ///     ``SecureStorage/forgettingAfterReinstall(marks:)``.
  ///   - accessibility: when the items can be read.
  ///   - localAuthentication: requires the user; such a session is not refreshed in the background. An app that uses a
  ///     face needs `NSFaceIDUsageDescription`.
  ///   - reason: the purpose shown in the system's prompt, in the user's language; nil for the system's text. No effect
  ///     on tvOS and watchOS.
  ///   - reuse: for how long one prompt is enough once the user has answered it, by default 10 seconds. No effect on tvOS.
  public init(
    service: String, accessGroup: String? = nil, accessibility: Accessibility = .afterFirstUnlockThisDeviceOnly,
    localAuthentication: LocalAuthentication? = nil, reason: String? = nil, reuse: Duration = .seconds(10)
  ) {
    self.init(
      service: service, accessGroup: accessGroup, accessibility: accessibility,
      localAuthentication: localAuthentication,
      items: SecurityItems(prompt: localAuthentication.map { _ in KeychainPrompt(reason: reason, reuse: reuse) }))
  }
}

/// The implementation with Keychain Services.
struct SecurityItems: KeychainItems {
  let prompt: KeychainPrompt?

  func copy(_ query: KeychainAttributes) -> (status: KeychainStatus, value: Data?) {
    guard var dictionary = query.dictionary else { return (.invalidParameter, nil) }
    prompt?.add(to: &dictionary)
    dictionary[kSecReturnData as String] = true
    dictionary[kSecMatchLimit as String] = kSecMatchLimitOne
    var result: CFTypeRef?
    let status = unsafe SecItemCopyMatching(dictionary as CFDictionary, &result)
    prompt?.noteUse(status)
    return (KeychainStatus(rawValue: status), result as? Data)
  }

  func add(_ attributes: KeychainAttributes) -> KeychainStatus {
    guard let item = attributes.dictionary else { return .invalidParameter }
    return KeychainStatus(rawValue: SecItemAdd(item as CFDictionary, nil))
  }

  func update(_ query: KeychainAttributes, with changes: KeychainAttributes) -> KeychainStatus {
    guard var query = query.dictionary, let changes = changes.dictionary else { return .invalidParameter }
    prompt?.add(to: &query)
    let status = SecItemUpdate(query as CFDictionary, changes as CFDictionary)
    prompt?.noteUse(status)
    return KeychainStatus(rawValue: status)
  }

  func delete(_ query: KeychainAttributes) -> KeychainStatus {
    guard let query = query.dictionary else { return .invalidParameter }
    return KeychainStatus(rawValue: SecItemDelete(query as CFDictionary))
  }
}

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
extension KeychainStorage: UnlockSignalingStorage {
  /// When protected data is available after the device was unlocked; on macOS when the user is back in their session.
  /// Nil for items that require the user: reading them would prompt.
  package func unlocks() -> AsyncStream<Void>? {
    guard localAuthentication == nil else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let following = Task.detached {
      let (center, name) = await MainActor.run {
        #if canImport(UIKit)
        (NotificationCenter.default, UIApplication.protectedDataDidBecomeAvailableNotification)
        #else
        (NSWorkspace.shared.notificationCenter, NSWorkspace.sessionDidBecomeActiveNotification)
        #endif
      }
      for await _ in center.notifications(named: name) { continuation.yield() }
    }
    continuation.onTermination = { _ in following.cancel() }
    return stream
  }
}
#endif

/// One prompt for the calls within a time: all of them have the same context, which the user unlocks once.
///
/// `@unchecked Sendable`: contexts are made and returned under the mutex; Keychain Services use one on any thread.
final class KeychainPrompt: @unchecked Sendable {
  #if os(tvOS)
  init(reason: String?, reuse: Duration) {}

  fileprivate func add(to query: inout [String: Any]) {}
  fileprivate func noteUse(_ status: OSStatus) {}
  #else
  private struct State {
    var context: LAContext
    /// Nil until the first use has succeeded, for as long as the user takes.
    var ends: ContinuousClock.Instant?
  }

  private let reason: String?
  private let reuse: Duration
  private let lock = Mutex(())
  private var state: State?

  init(reason: String?, reuse: Duration) {
    self.reason = reason
    self.reuse = reuse
  }

  fileprivate func add(to query: inout [String: Any]) {
    query[kSecUseAuthenticationContext as String] = lock.withLock { _ in
      if let state, state.ends.map({ $0 > .now }) != false { return state.context }
      let context = LAContext()
      #if !os(watchOS)
      if let reason { context.localizedReason = reason }
      #endif
      state = State(context: context)
      return context
    }
  }

  fileprivate func noteUse(_ status: OSStatus) {
    lock.withLock { _ in
      if status == errSecSuccess, state?.ends == nil { state?.ends = .now + reuse }
    }
  }
  #endif
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

extension KeychainStorage.Accessibility {
  fileprivate var constant: CFString {
    switch self {
    case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    }
  }
}

extension KeychainStorage.LocalAuthentication {
  fileprivate var flags: SecAccessControlCreateFlags {
    switch self {
    case .userPresence: .userPresence
    case .currentBiometry: .biometryCurrentSet
    }
  }
}
#endif
