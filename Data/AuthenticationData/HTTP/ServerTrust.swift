package import AuthenticationDomain
public import Foundation

/// Which servers a client accepts in TLS: those that the system trusts, with the app's additions or restrictions.
///
/// ```swift
/// let trust = ServerTrust(roots: try Data(contentsOf: url), pins: ["r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="])
/// let client = try SystemHTTPClient(trust: trust)
/// ```
public struct ServerTrust: Sendable, Hashable {
  let roots: Data?
  let pins: Set<String>?

  /// The servers that the system trusts.
  package static let system = Self()

  /// Creates the setting; the client that is created with it validates it.
  ///
  /// - Parameters:
  ///   - roots: certificates of authorities that are trusted in addition to the system's, as PEM (RFC 7468 §5); nil for
  ///     none.
  ///   - pins: the SHA-256 of public keys (SubjectPublicKeyInfo), in base64 (RFC 7469 §2.4); a server's own certificate
  ///     must have one of them. Nil accepts any key. Include a spare one: otherwise the app cannot reach a server that
  ///     changes its key.
  public init(roots: Data? = nil, pins: Set<String>? = nil) {
    self.roots = roots
    self.pins = pins
  }

  /// Returns the roots' certificates, in DER.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration`` if the roots hold no certificate or a broken one, if
  ///   the set of pins is empty, and for a pin that is not a SHA-256 hash.
  @discardableResult
  package func validated() throws(AuthenticationError) -> [Data] {
    if let pins {
      guard !pins.isEmpty, pins.allSatisfy({ Data(base64Encoded: $0)?.count == 32 }) else { throw .invalidPins }
    }
    guard let roots else { return [] }
    guard let text = String(bytes: roots, encoding: .utf8) else { throw .invalidRoots }
    let decoded = try text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().map {
      part throws(AuthenticationError) in
      guard let end = part.firstRange(of: "-----END CERTIFICATE-----"),
        let der = Data(base64Encoded: part[..<end.lowerBound].filter { !$0.isWhitespace }),
        Certificate.publicKeyInfo(of: der) != nil
      else { throw .invalidRoots }
      return der
    }
    if decoded.isEmpty { throw .invalidRoots }
    return decoded
  }
}

extension AuthenticationError {
  fileprivate static let invalidRoots = Self(
    .invalidConfiguration, "The roots hold no certificate, or one that cannot be read.",
    suggestion: "Give PEM: -----BEGIN CERTIFICATE----- and so on.")

  fileprivate static let invalidPins = Self(
    .invalidConfiguration, "The set of pins is empty, or one is no SHA-256 in base64.",
    suggestion: "Leave the pins away to allow any key that the system trusts.")
}

#if canImport(Security)
import Security

extension ServerTrust {
  /// Whether a server's certificate chain is trusted, and its own key matches one of the pins. May block while the
  /// system fetches certificates.
  func allows(_ server: SecTrust) -> Bool {
    guard let roots = try? validated() else { return false }
    if !roots.isEmpty {
      let anchors = roots.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
      guard anchors.count == roots.count, SecTrustSetAnchorCertificates(server, anchors as CFArray) == errSecSuccess,
        SecTrustSetAnchorCertificatesOnly(server, false) == errSecSuccess
      else { return false }
    }
    guard SecTrustEvaluateWithError(server, nil) else { return false }
    guard let pins else { return true }
    guard let leaf = (SecTrustCopyCertificateChain(server) as? [SecCertificate])?.first,
      let key = Certificate.publicKeyInfo(of: SecCertificateCopyData(leaf) as Data)
    else { return false }
    let digest = Data(PublicSHA256.hash(key))
    return pins.contains { Data(base64Encoded: $0) == digest }
  }
}
#endif

/// The part of an X.509 certificate that a pin needs (RFC 5280 §4.1).
enum Certificate {
  /// The SubjectPublicKeyInfo, with its tag and length; nil if it cannot be read.
  static func publicKeyInfo(of certificate: Data) -> Data? {
    guard let outer = DERElement(certificate), outer.tag == DERElement.sequence,
      outer.whole.count == certificate.count, let signed = DERElement(outer.content)
    else { return nil }
    var fields: [DERElement] = []
    var rest = signed.content
    while let field = DERElement(rest) {
      fields.append(field)
      rest = rest.dropFirst(field.whole.count)
    }
    // [0] version, which may be missing; serial number, algorithm, issuer, validity, subject; then the key.
    let index = fields.first?.tag == 0xA0 ? 6 : 5
    guard rest.isEmpty, fields.indices.contains(index), fields[index].tag == DERElement.sequence else { return nil }
    return fields[index].whole
  }
}

/// One DER value at the beginning of some bytes (X.690 §8.1).
struct DERElement {
  static let sequence: UInt8 = 0x30

  let tag: UInt8
  let content: Data
  /// With tag and length.
  let whole: Data

  /// Nil if the bytes end before the value does.
  init?(_ bytes: Data) {
    guard bytes.count >= 2 else { return nil }
    let start = bytes.startIndex
    tag = bytes[start]
    var length = Int(bytes[start + 1])
    var header = 2
    if length >= 0x80 {
      let count = length - 0x80
      guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
      length = bytes[(start + 2)..<(start + 2 + count)].reduce(0) { $0 << 8 | Int($1) }
      header += count
    }
    guard bytes.count - header >= length else { return nil }
    content = bytes[(start + header)..<(start + header + length)]
    whole = bytes[start..<(start + header + length)]
  }
}
