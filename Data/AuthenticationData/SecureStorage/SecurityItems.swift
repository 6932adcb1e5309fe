#if canImport(Security)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
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
    case .accessible(.afterFirstUnlockThisDeviceOnly):
      (kSecAttrAccessible, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
    case .accessible(.whenUnlockedThisDeviceOnly): (kSecAttrAccessible, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
    case .synchronizable(let isOn): (kSecAttrSynchronizable, isOn)
    case .dataProtectionKeychain(let isOn): (kSecUseDataProtectionKeychain, isOn)
    case .value(let data): (kSecValueData, data)
    }
  }
}
#endif
