#if canImport(Security)
import CommonCrypto
import Foundation
import Security

extension ServerTrust {
  /// Whether a server's certificate chain is trusted, and its own key matches one of the pins. May block while the
  /// system fetches certificates.
  func allows(_ server: SecTrust) -> Bool {
    guard let roots = try? validated() else { return false }
    if !roots.isEmpty {
      let anchors = roots.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
      guard anchors.count == roots.count,
        SecTrustSetAnchorCertificates(server, anchors as CFArray) == errSecSuccess,
        SecTrustSetAnchorCertificatesOnly(server, false) == errSecSuccess
      else { return false }
    }
    guard SecTrustEvaluateWithError(server, nil) else { return false }
    guard let pins else { return true }
    guard let leaf = (SecTrustCopyCertificateChain(server) as? [SecCertificate])?.first,
      let key = Certificate.publicKeyInfo(of: SecCertificateCopyData(leaf) as Data)
    else { return false }
    let digest = key.sha256
    return pins.contains { Data(base64Encoded: $0) == digest }
  }
}

extension Data {
  fileprivate var sha256: Data {
    var digest = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
    _ = unsafe withUnsafeBytes { unsafe CC_SHA256($0.baseAddress, CC_LONG($0.count), &digest) }
    return Data(digest)
  }
}
#endif
