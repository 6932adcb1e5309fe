public import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPResponse {
  /// Returns a value of the JSON body by its path.
  ///
  /// ```swift
  /// contract.endsSession = { $0.status == 401 && $0.value(at: "error.code") == "session_ended" }
  /// ```
  ///
  /// - Parameter path: names of members and indices of arrays (from 0), separated by dots: `data.email.code`,
  ///   `errors.0.code`.
  /// - Returns: nil if the body is not JSON (RFC 8259), if it has no such value, and for `null`.
  public func value(at path: String) -> JSONValue? { json?.value(at: path) }

  /// The whole body; nil if it is not JSON.
  package var json: JSONValue? { isJSON ? try? BoundedJSON.decode(JSONValue.self, from: body) : nil }
}

extension JSONValue {
  /// The value at a path as in ``HTTPResponse/value(at:)``.
  package func value(at path: String) -> JSONValue? {
    var value = self
    for name in path.split(separator: ".") {
      switch value {
      case .object(let members):
        guard let member = members[String(name)] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    // As a literal of the value's own type, nil would be null here.
    guard value != .null else { return Optional.none }
    return value
  }

  /// A text that is not empty, or a whole number as text, as many backends number what they store.
  package func text(at path: String?) -> String? {
    switch path.flatMap(value) {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let number): Int64(exactly: number).map(String.init)
    default: nil
    }
  }
}
