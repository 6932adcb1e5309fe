// Keychain Services for a probe that runs on Linux: an empty keychain that takes everything.
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32
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

public let kSecUseAuthenticationContext: CFString = "kSecUseAuthenticationContext"
public let kSecValueData: CFString = "kSecValueData"
public let kSecReturnData: CFString = "kSecReturnData"
public let kSecMatchLimit: CFString = "kSecMatchLimit"
public let kSecMatchLimitOne: CFString = "kSecMatchLimitOne"

private let errSecUnimplemented: OSStatus = -4
private let errSecItemNotFound: OSStatus = -25300
public let errSecSuccess: OSStatus = 0

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  StubKeychain.queries.append(query)
  return StubKeychain.finds ? errSecSuccess : errSecItemNotFound
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
public let kSecAttrAccessControl: CFString = "kSecAttrAccessControl"

public final class CFAllocator {}

public final class SecAccessControl {
  public let protection: Any
  public let flags: SecAccessControlCreateFlags

  init(_ protection: Any, _ flags: SecAccessControlCreateFlags) {
    self.protection = protection
    self.flags = flags
  }
}

public struct SecAccessControlCreateFlags: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let userPresence = Self(rawValue: 1 << 0)
  public static let biometryCurrentSet = Self(rawValue: 1 << 3)
}

public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?, _ protection: Any, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<CFTypeRef?>?
) -> SecAccessControl? {
  StubKeychain.makesAccessControls ? SecAccessControl(protection, flags) : nil
}
/// Its calls, and their arguments.
public enum StubKeychain {
  nonisolated(unsafe) public static var makesAccessControls = true
  nonisolated(unsafe) public static var writes: [CFDictionary] = []
  nonisolated(unsafe) public static var queries: [CFDictionary] = []
  nonisolated(unsafe) public static var finds = true
}
