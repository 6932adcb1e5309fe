package import AuthenticationData

extension FormBody {
  /// Nil unless the query is `application/x-www-form-urlencoded` (RFC 6749 appendix B): each `%` begins two hexadecimal
  /// digits, and the bytes are UTF-8. Empty parts are skipped.
  package init?(decoding query: some Collection<UInt8>) {
    self.init()
    for piece in query.split(separator: UInt8(ascii: "&")) {
      let name = piece.prefix { $0 != UInt8(ascii: "=") }
      guard let decodedName = Self.decode(name), let value = Self.decode(piece.dropFirst(name.count + 1))
      else { return nil }
      add(decodedName, value)
    }
  }

  private static func decode(_ bytes: some Collection<UInt8>) -> String? {
    var decoded: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal)
        else { return nil }
        decoded.append(high << 4 | low)
      default: decoded.append(byte)
      }
    }
    return String(validating: decoded, as: UTF8.self)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
