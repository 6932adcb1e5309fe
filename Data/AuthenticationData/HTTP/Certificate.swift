#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The part of an X.509 certificate that a pin needs (RFC 5280 §4.1).
enum Certificate {
  /// The SubjectPublicKeyInfo, with its tag and length; nil if it cannot be read.
  static func publicKeyInfo(of certificate: Data) -> Data? {
    guard let whole = DERElement(certificate), whole.tag == DERElement.sequence,
      whole.size == certificate.count, let signed = DERElement(whole.content)
    else { return nil }
    var fields: [DERElement] = []
    var rest = signed.content
    while let field = DERElement(rest) {
      fields.append(field)
      rest = rest.dropFirst(field.size)
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

  var size: Int { whole.count }

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
