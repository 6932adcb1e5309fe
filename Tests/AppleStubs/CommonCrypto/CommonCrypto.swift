public typealias CC_LONG = UInt32
public let CC_SHA256_DIGEST_LENGTH: Int32 = 32

@discardableResult
public func CC_SHA256(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { md }
