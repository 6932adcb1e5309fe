public let kSecAttrAccessControl: CFString = "kSecAttrAccessControl"

public final class CFAllocator {}
public final class SecAccessControl {}

public struct SecAccessControlCreateFlags: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let userPresence = Self(rawValue: 1 << 0)
  public static let biometryCurrentSet = Self(rawValue: 1 << 3)
}

public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutableRawPointer?
) -> SecAccessControl? {
  nil
}
