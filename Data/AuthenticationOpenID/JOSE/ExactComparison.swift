/// Byte for byte, as identifiers are compared (RFC 3986 §6.2.1, RFC 7519 §2, RFC 8259 §8.3).
///
/// `==` on `String` also takes different spellings of one letter for the same: the Kelvin sign for a K. So do a set and
/// an array that are asked whether they contain a text.
extension StringProtocol {
  func isSame(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String? {
  /// Whether both are absent, or both the same.
  func isSame(as other: String?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let one?, let other?): one.isSame(as: other)
    default: false
    }
  }
}

extension Sequence<String> {
  func hasSame(as text: String) -> Bool { contains { $0.isSame(as: text) } }
}
