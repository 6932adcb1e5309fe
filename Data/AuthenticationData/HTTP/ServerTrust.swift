import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which servers a client speaks TLS with: those that the system trusts, and what an app says besides.
///
/// ```swift
/// let trust = ServerTrust(roots: try Data(contentsOf: company), pins: ["r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="])
/// let client = try SystemHTTPClient(trust: trust)
/// ```
public struct ServerTrust: Sendable, Hashable {
  /// Certificates of authorities that are trusted besides the system's, as PEM (RFC 7468 §5); nil for none.
  public var roots: Data?
  /// SHA-256 of the public keys (SubjectPublicKeyInfo) of which a server's own certificate must have one, in base64
  /// (RFC 7469 §2.4); nil for any. Give a spare one: a server that changes its key is otherwise lost.
  public var pins: Set<String>?

  /// What the system trusts.
  public static let system = Self()

  /// A choice as a value; the client that is made with it checks it.
  public init(roots: Data? = nil, pins: Set<String>? = nil) {
    self.roots = roots
    self.pins = pins
  }

  /// The roots' certificates, in DER.
  ///
  /// - Throws: ``AuthenticationError/Code/invalidConfiguration`` for roots that hold no certificate or a broken one, for an
  ///   empty set of pins, and for a pin that is no SHA-256.
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
  /// What stands between each pair of these lines; nil where one of a pair is missing.
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
