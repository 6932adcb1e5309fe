import Foundation

/// The pairs of a query or a form (RFC 6749 appendix B), decoded.
package struct Fields: Sendable {
  package let pairs: [(name: String, value: String)]

  package init(_ text: String) {
    pairs = text.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decode(sides[0]), sides.count > 1 ? Self.decode(sides[1]) : "")
    }
  }

  package init(_ byName: [String: String]) {
    pairs = byName.map { ($0, $1) }
  }

  /// RFC 6749 §3.1: no parameter may appear twice, but for `resource` (RFC 8707 §2).
  package var hasRepetition: Bool {
    let names = pairs.map(\.name).filter { $0 != "resource" }
    return Set(names).count < names.count
  }

  func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  package var byName: [String: String] { Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first } }

  /// Nil for a parameter without a value too (RFC 6749 §3.1).
  package subscript(name: String) -> String? {
    pairs.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  static func decode(_ text: some StringProtocol) -> String {
    let spaced = String(text).replacing("+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }

  package static func encode(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~"))) ?? ""
  }
}
