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

/// Apple's takes a `CFTypeRef`, which its `CFString` is; the stub's is a `String`.
public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?, _ protection: Any, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<CFTypeRef?>?
) -> SecAccessControl? {
  StubKeychain.makesAccessControls ? SecAccessControl(protection, flags) : nil
}
