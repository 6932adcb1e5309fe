public let kSecClass: CFString = "kSecClass"
public let kSecClassGenericPassword: CFString = "kSecClassGenericPassword"
public let kSecAttrService: CFString = "kSecAttrService"
public let kSecAttrAccount: CFString = "kSecAttrAccount"
public let kSecAttrAccessGroup: CFString = "kSecAttrAccessGroup"
public let kSecAttrSynchronizable: CFString = "kSecAttrSynchronizable"
public let kSecUseDataProtectionKeychain: CFString = "kSecUseDataProtectionKeychain"

public let kSecAttrAccessible: CFString = "kSecAttrAccessible"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString =
  "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly"
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "kSecAttrAccessibleWhenUnlockedThisDeviceOnly"

public let kSecValueData: CFString = "kSecValueData"
public let kSecReturnData: CFString = "kSecReturnData"
public let kSecMatchLimit: CFString = "kSecMatchLimit"
public let kSecMatchLimitOne: CFString = "kSecMatchLimitOne"

private let errSecUnimplemented: OSStatus = -4
private let errSecItemNotFound: OSStatus = -25300

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  errSecUnimplemented
}

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  StubKeychain.writes.append(attributes)
  return 0
}

public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  StubKeychain.writes.append(attributesToUpdate)
  return errSecItemNotFound
}

public func SecItemDelete(_ query: CFDictionary) -> OSStatus { errSecUnimplemented }
