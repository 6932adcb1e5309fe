public import FoundationNetworking

public let errSecSuccess: OSStatus = 0
public typealias CFArray = [Any]
public final class SecTrust: Sendable {}
public final class SecCertificate {}

public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { CFData() }
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchors: CFArray?) -> OSStatus { errSecSuccess }
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ only: Bool) -> OSStatus { errSecSuccess }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }
public func SecTrustEvaluateWithError(
  _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool { false }

public enum tls_protocol_version_t: UInt16, Sendable {
  case TLSv12 = 0x0303
}

/// On Apple platforms these come with Foundation, whose Linux edition leaves them out.
extension URLSessionConfiguration {
  public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
    get { .TLSv12 }
    set {}
  }
}

extension URLProtectionSpace {
  public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
  public convenience init(trust: SecTrust) { fatalError("A stub is only type-checked.") }
}
