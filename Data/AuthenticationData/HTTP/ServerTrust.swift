import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which servers a client accepts in TLS: those that the system trusts, and what the app adds or restricts.
///
/// ```swift
/// let trust = ServerTrust(roots: try Data(contentsOf: url), pins: ["r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="])
/// let client = try SystemHTTPClient(trust: trust)
/// ```
public struct ServerTrust: Sendable, Hashable {
  /// Certificates of authorities that are trusted in addition to the system's, as PEM (RFC 7468 §5); nil for none.
  public var roots: Data?
  /// The SHA-256 of public keys (SubjectPublicKeyInfo), in base64 (RFC 7469 §2.4); a server's own certificate must have
  /// one of them. Nil accepts any key. Include a spare one: otherwise the app cannot reach a server that changes its
  /// key.
  public var pins: Set<String>?

  /// What the system trusts.
  public static let system = Self()

  /// Creates the setting; the client that is created with it validates it.
  public init(roots: Data? = nil, pins: Set<String>? = nil) {
    self.roots = roots
    self.pins = pins
  }

  /// Returns the roots' certificates, in DER.
  ///
  /// - Throws: ``AuthenticationError/Code/invalidConfiguration`` if the roots hold no certificate or a broken one, if
  ///   the set of pins is empty, and for a pin that is not a SHA-256 hash.
  @discardableResult
  func validated() throws(AuthenticationError) -> [Data] {
    if let pins {
      guard !pins.isEmpty, pins.allSatisfy({ Data(base64Encoded: $0)?.count == 32 }) else { throw .invalidPins }
    }
    guard let roots else { return [] }
    guard let text = String(bytes: roots, encoding: .utf8) else { throw .invalidRoots }
    let certificates = text.components(between: "-----BEGIN CERTIFICATE-----", and: "-----END CERTIFICATE-----")
    guard let certificates, !certificates.isEmpty else { throw .invalidRoots }
    var decoded: [Data] = []
    for certificate in certificates {
      guard let der = Data(base64Encoded: certificate.filter { !$0.isWhitespace }),
        DERElement(der)?.tag == DERElement.sequence, Certificate.publicKeyInfo(of: der) != nil
      else { throw .invalidRoots }
      decoded.append(der)
    }
    return decoded
  }
}

extension String {
  /// The text between each pair of these lines; nil if one line of a pair is missing.
  fileprivate func components(between begin: String, and end: String) -> [Substring]? {
    var found: [Substring] = []
    var rest = self[...]
    while let start = rest.firstRange(of: begin) {
      guard let stop = rest[start.upperBound...].firstRange(of: end) else { return nil }
      found.append(rest[start.upperBound..<stop.lowerBound])
      rest = rest[stop.upperBound...]
    }
    return found
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
