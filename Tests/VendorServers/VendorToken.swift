#if Tools
package import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

/// A JWT (RFC 7519 §3) whose claims are real and whose signature is not checked.
package enum VendorToken {
  /// For a vendor's own tokens, and for identity tokens that a test hands to one.
  package static func make(_ claims: [String: JSONValue]) -> String {
    let header: [String: JSONValue] = ["alg": "HS256", "typ": "JWT"]
    return [json(header), json(claims), Data("unsigned".utf8)].map(URLSafe.encode).joined(separator: ".")
  }

  /// Nil unless the text is a JWT.
  package static func claims(_ token: String) -> [String: JSONValue]? {
    let segments = token.split(separator: ".", omittingEmptySubsequences: false)
    guard segments.count == 3, let payload = URLSafe.decode(segments[1]) else { return nil }
    return try? JSONDecoder().decode([String: JSONValue].self, from: payload)
  }

  static func json(_ members: [String: JSONValue]) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(members)) ?? Data()
  }
}

extension JSONValue {
  /// Null where there is no text.
  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

extension [String: JSONValue] {
  /// Without the members that are null.
  var present: Self { filter { $0.value != .null } }
}
#endif
