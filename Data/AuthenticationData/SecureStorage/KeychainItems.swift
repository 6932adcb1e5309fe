#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
  /// The person closed the prompt for a face, a finger or the passcode.
  static let userCanceled = Self(rawValue: -128)
  /// The face, the finger or the passcode did not match.
  static let authFailed = Self(rawValue: -25293)
}
