/// Byte for byte, as identifiers are compared (RFC 3986 §6.2.1, RFC 7519 §2, RFC 8259 §8.3).
///
/// `==` on `String` also treats canonically equivalent spellings as equal: the Kelvin sign and K. So does `contains` on
/// a set or an array of strings.
extension StringProtocol {
  package func isSame(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String? {
  /// Whether both are absent, or both equal.
  package func isSame(as other: String?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let one?, let other?): one.isSame(as: other)
    default: false
    }
  }
}

extension Sequence<String> {
  package func hasSame(as text: String) -> Bool { contains { $0.isSame(as: text) } }
}
