#if canImport(Security)
import Foundation
import Security

/// Keychain Services themselves.
struct SecurityItems: KeychainItems {
  func copy(_ query: KeychainAttributes) -> (status: KeychainStatus, value: Data?) {
    var dictionary = query.dictionary
    dictionary[kSecReturnData as String] = true
    dictionary[kSecMatchLimit as String] = kSecMatchLimitOne
    var result: CFTypeRef?
    let status = unsafe SecItemCopyMatching(dictionary as CFDictionary, &result)
    return (KeychainStatus(rawValue: status), result as? Data)
  }

  func add(_ attributes: KeychainAttributes) -> KeychainStatus {
    KeychainStatus(rawValue: SecItemAdd(attributes.dictionary as CFDictionary, nil))
  }

  func update(_ query: KeychainAttributes, with changes: KeychainAttributes) -> KeychainStatus {
    KeychainStatus(rawValue: SecItemUpdate(query.dictionary as CFDictionary, changes.dictionary as CFDictionary))
  }

  func delete(_ query: KeychainAttributes) -> KeychainStatus {
    KeychainStatus(rawValue: SecItemDelete(query.dictionary as CFDictionary))
  }
}

extension KeychainAttributes {
  fileprivate var dictionary: [String: Any] {
    var dictionary: [String: Any] = [:]
    for attribute in self {
      let (key, value) = attribute.entry
      dictionary[key as String] = value
    }
    return dictionary
  }
}

extension KeychainAttribute {
  fileprivate var entry: (key: CFString, value: Any) {
    switch self {
    case .genericPassword: (kSecClass, kSecClassGenericPassword)
    case .service(let service): (kSecAttrService, service)
    case .account(let account): (kSecAttrAccount, account)
    case .accessGroup(let group): (kSecAttrAccessGroup, group)
    case .accessible(let accessibility): (kSecAttrAccessible, accessibility.constant)
    case .accessControl(let accessibility, let authentication):
      (kSecAttrAccessControl, Self.accessControl(accessibility, authentication))
    case .synchronizable(let isOn): (kSecAttrSynchronizable, isOn)
    case .dataProtectionKeychain(let isOn): (kSecUseDataProtectionKeychain, isOn)
    case .value(let data): (kSecValueData, data)
    }
  }
}

extension KeychainAttribute {
  /// Where the system makes none, a value that it refuses to add: an item never goes without its gate.
  private static func accessControl(
    _ accessibility: GenericPasswords.Accessibility, _ authentication: GenericPasswords.LocalAuthentication
  ) -> Any {
    SecAccessControlCreateWithFlags(nil, accessibility.constant, authentication.flags, nil) ?? NSNull()
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
