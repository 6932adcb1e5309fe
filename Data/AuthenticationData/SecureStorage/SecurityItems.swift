#if canImport(Security)
import Foundation
import Security

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
