import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization
#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A parsed compact JWS (RFC 7515 §7.1): nothing in it is verified.
package struct CompactJWS: Sendable, Redacted {
  package static let maximumSize = 64 * 1_024
  static let maximumHeaderSize = 4 * 1_024

  package let header: JWSHeader
  package let payload: [UInt8]
  package let signature: [UInt8]
  /// The signed bytes: the first two segments and the dot between them.
  package let signed: ArraySlice<UInt8>

  /// Throws unless these are three segments of base64url within the limits, the first of them a header.
  package init(_ text: String) throws(MalformedJSON) {
    guard text.utf8.count <= Self.maximumSize else { throw MalformedJSON(limit: "is longer than 64 KiB") }
    let bytes = Array(text.utf8)
    let dot = UInt8(ascii: ".")
    guard let first = bytes.firstIndex(of: dot), let second = bytes[(first + 1)...].firstIndex(of: dot),
      first <= Self.maximumHeaderSize, let header = Base64URL.decode(bytes[..<first]),
      let payload = Base64URL.decode(bytes[(first + 1)..<second]),
      let signature = Base64URL.decode(bytes[(second + 1)...])
    else { throw MalformedJSON() }
    self.header = try JWSHeader(json: header)
    self.payload = payload
    self.signature = signature
    signed = bytes[..<second]
  }
}

/// base64url without padding (RFC 7515 §2), one text for each sequence of bytes and no other.
package enum Base64URL {
  private static let invalid: UInt32 = 1 << 31
  /// The value of each character; ``invalid`` if it is not in the alphabet.
  private static let values: [UInt32] = {
    var values = [UInt32](repeating: invalid, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt32(value) }
    return values
  }()

  package static func encode(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64URL }

  /// Nil unless the text is the one encoding of some bytes.
  static func decode(_ text: some StringProtocol) -> Data? { decode(Array(text.utf8)[...]).map { Data($0) } }

  /// Nil unless the text is the one encoding of some bytes.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    // An array made without a capacity is the empty one that all threads share, and would be written to.
    if text.isEmpty { return [] }
    let tail = text.count % 4
    guard tail != 1 else { return nil }
    let whole = text.count / 4
    var seen: UInt32 = 0
    var bytes = unsafe [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { bytes, count in
      unsafe text.withUnsafeBufferPointer { text in
        // No index is out of bounds: the table has a value for each byte, and each whole quad reads four characters
        // and writes three bytes.
        unsafe values.withUnsafeBufferPointer { values in
          for quad in 0..<whole {
            let (read, write) = (quad * 4, quad * 3)
            let (a, b) = unsafe (values[Int(text[read])], values[Int(text[read + 1])])
            let (c, d) = unsafe (values[Int(text[read + 2])], values[Int(text[read + 3])])
            seen |= a | b | c | d
            let bits = a << 18 | b << 12 | c << 6 | d
            unsafe bytes[write] = UInt8(truncatingIfNeeded: bits >> 16)
            unsafe bytes[write + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            unsafe bytes[write + 2] = UInt8(truncatingIfNeeded: bits)
          }
        }
      }
      count = whole * 3
    }
    if tail > 0 {
      var bits: UInt32 = 0
      for digit in text.suffix(tail) {
        seen |= values[Int(digit)]
        bits = bits << 6 | values[Int(digit)] & 63
      }
      let spare = tail == 2 ? 4 : 2
      guard bits & (1 << spare - 1) == 0 else { return nil }
      bits >>= spare
      if tail == 3 { bytes.append(UInt8(truncatingIfNeeded: bits >> 8)) }
      bytes.append(UInt8(truncatingIfNeeded: bits))
    }
    return seen & invalid == 0 ? bytes : nil
  }
}

/// A signature algorithm for ID tokens (RFC 7518 §3.1, RFC 8037 §3.1), by its `alg` value. `none` and MACs are not
/// included: a public client has no secret with which to check a MAC.
public enum SignatureAlgorithm: String, Sendable, CaseIterable {
  /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
  case rs256 = "RS256"
  /// RSASSA-PKCS1-v1_5 with SHA-384 (RFC 7518 §3.3).
  case rs384 = "RS384"
  /// RSASSA-PKCS1-v1_5 with SHA-512 (RFC 7518 §3.3).
  case rs512 = "RS512"
  /// RSASSA-PSS with SHA-256 (RFC 7518 §3.5).
  case ps256 = "PS256"
  /// RSASSA-PSS with SHA-384 (RFC 7518 §3.5).
  case ps384 = "PS384"
  /// RSASSA-PSS with SHA-512 (RFC 7518 §3.5).
  case ps512 = "PS512"
  /// ECDSA on P-256 with SHA-256 (RFC 7518 §3.4).
  case es256 = "ES256"
  /// ECDSA on P-384 with SHA-384 (RFC 7518 §3.4).
  case es384 = "ES384"
  /// ECDSA on P-521 with SHA-512 (RFC 7518 §3.4).
  case es512 = "ES512"
  /// EdDSA on Ed25519 (RFC 8037 §3.1).
  case edDSA = "EdDSA"

  /// Every supported algorithm.
  package static let all = Set(allCases)

  enum Hash: Sendable { case sha256, sha384, sha512 }

  var hash: Hash {
    switch self {
    case .rs256, .ps256, .es256: .sha256
    case .rs384, .ps384, .es384: .sha384
    case .rs512, .ps512, .es512, .edDSA: .sha512
    }
  }

  var isPSS: Bool { [.ps256, .ps384, .ps512].contains(self) }
  var isRSA: Bool { isPSS || [.rs256, .rs384, .rs512].contains(self) }
}

/// The one algorithm of a key that names none: the first with which it verified a signature (RFC 8725 §3.1).
final class AlgorithmOfUse: Sendable {
  private let first = Mutex<SignatureAlgorithm?>(nil)

  /// Whether the key may still be tried with this algorithm.
  func allows(_ algorithm: SignatureAlgorithm) -> Bool { first.withLock { $0 == nil || $0 == algorithm } }

  /// Makes this the key's algorithm; returns false if it already has another one.
  func take(_ algorithm: SignatureAlgorithm) -> Bool {
    first.withLock { first in
      if first == nil { first = algorithm }
      return first == algorithm
    }
  }
}

extension SignatureAlgorithm.Hash {
  /// The left half of the hash of ASCII text, in base64url (`at_hash` and `c_hash`, OpenID Connect Core §3.1.3.6).
  func leftHalf(of text: String) -> String {
    let bytes = Array(text.utf8)
    return switch self {
    case .sha256: Base64URL.encode(SHA256.hash(data: bytes).prefix(16))
    case .sha384: Base64URL.encode(SHA384.hash(data: bytes).prefix(24))
    case .sha512: Base64URL.encode(SHA512.hash(data: bytes).prefix(32))
    }
  }
}

extension Base64URL {
  /// The SHA-256 of a text's bytes, in base64url.
  package static func sha256(of text: String) -> String { encode(SHA256.hash(data: Array(text.utf8))) }

  /// The SHA-256 thumbprint of a key (RFC 7638 §3).
  ///
  /// - Parameter members: exactly those that the key's type requires (RFC 7638 §3.2), with values that need no
  ///   escaping.
  package static func thumbprint(of members: [String: String]) -> String {
    let body = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
    return sha256(of: "{\(body)}")
  }
}
