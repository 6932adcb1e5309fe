import AuthenticationDomain
import Foundation

/// The generic passwords of one service: the order of the calls, and the meaning of each status.
struct GenericPasswords: SecureStorage {
  enum Accessibility: String, Sendable {
    case afterFirstUnlockThisDeviceOnly
    case whenUnlockedThisDeviceOnly
  }

  enum LocalAuthentication: Sendable {
    case userPresence
    case currentBiometry
  }

  let service: String
  let accessGroup: String?
  let accessibility: Accessibility
  var localAuthentication: LocalAuthentication?
  let items: any KeychainItems

  /// "Not found" counts only if the keychain was seen to be open first: a prewarmed launch gets it from a locked
  /// keychain.
  func read(_ key: String) throws(AuthenticationError) -> Data? {
    if let value = try value(of: key) { return value }
    try proveOpen()
    return try value(of: key)
  }

  /// Never deletes before it adds: another process would find no item in between.
  func write(_ value: Data, for key: String) throws(AuthenticationError) {
    var status = update(key, to: value)
    if status == .itemNotFound { status = add(key, value) }
    if status == .duplicateItem { status = update(key, to: value) }
    try status.expectSuccess()
  }

  func delete(_ key: String) throws(AuthenticationError) {
    var status = items.delete(query(key))
    if status == .itemNotFound {
      try proveOpen()
      status = items.delete(query(key))
    }
    if status != .itemNotFound { try status.expectSuccess() }
  }
}

extension GenericPasswords {
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

  private func add(_ key: String, _ value: Data) -> KeychainStatus {
    items.add(query(key) + content(value))
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
    let (code, message, suggestion) = meaning
    throw AuthenticationError(
      code, message, suggestion: suggestion, cause: .init(domain: "OSStatus", code: Int(rawValue)))
  }

  private var meaning: (code: AuthenticationError, message: String, suggestion: String) {
    switch self {
    case .interactionNotAllowed:
      (.storageUnavailable, "The keychain is locked.", "Keep the session and try again once the device is unlocked.")
    case .userCanceled, .authFailed:
      (
        .userPresenceRequired, "The user did not unlock the item.",
        "Keep the session and ask again when the user wants to go on."
      )
    case .invalidParameter:
      (
        .storageUnavailable, "The keychain cannot do this, or make an item's access control; nothing was changed.",
        "Keep the session; where local authentication is asked for, see whether this device has it."
      )
    default:
      (
        .storageUnavailable, "The keychain gave no usable answer.",
        "Look up the OSStatus; -34018 means that the app lacks the access group's entitlement."
      )
    }
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
  case accessible(GenericPasswords.Accessibility)
  case accessControl(GenericPasswords.Accessibility, GenericPasswords.LocalAuthentication)
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
}
