#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Parameters in the form `application/x-www-form-urlencoded` (RFC 6749 appendix B), in their order.
package struct FormBody: Sendable {
  package private(set) var fields: [(name: String, value: String)] = []

  package init(_ fields: KeyValuePairs<String, String?> = [:]) {
    for (name, value) in fields { add(name, value) }
  }

  /// Adds a parameter; nil adds nothing.
  package mutating func add(_ name: String, _ value: String?) {
    if let value { fields.append((name, value)) }
  }

  package var encoded: String {
    fields.map { Self.encode($0.name) + "=" + Self.encode($0.value) }.joined(separator: "&")
  }

  /// Keeps letters, digits, `*`, `-`, `.` and `_`; a space becomes `+`; all other bytes are percent-encoded.
  package static func encode(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: " "): encoded += "+"
      default:
        encoded += byte < 16 ? "%0" : "%"
        encoded += String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }
}

extension FormBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<form>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPRequest {
  /// Creates the request that posts a form; responses are expected as JSON.
  package init(posting form: FormBody, to url: URL) {
    self.init(
      .post, url, headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"],
      body: Data(form.encoded.utf8))
  }
}
