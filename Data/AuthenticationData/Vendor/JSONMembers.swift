package import AuthenticationDomain
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A vendor's JSON object, read member by member. A member of another type than the one asked for counts as absent, so
/// that a vendor's change of what is not needed breaks nothing.
package struct JSONMembers: Sendable {
  /// As they came.
  package let values: [String: JSONValue]

  package init(_ values: [String: JSONValue]) { self.values = values }

  /// Nil unless the text is a JSON object.
  package init?(json: Data) {
    guard let values = try? BoundedJSON.decode([String: JSONValue].self, from: json) else { return nil }
    self.values = values
  }

  /// The body of a response.
  ///
  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer`` unless it is a JSON object; nothing of it is quoted.
  package init(_ response: HTTPResponse) throws(AuthenticationError) {
    guard response.isJSON, let members = Self(json: response.body) else { throw .unexpectedAnswer }
    self = members
  }

  /// A text that is not empty.
  package subscript(name: String) -> String? {
    values[name]?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A text that must be there.
  ///
  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer`` if it is not, or is empty.
  package func required(_ name: String) throws(AuthenticationError) -> String {
    guard let text = self[name] else { throw .unexpectedAnswer }
    return text
  }

  /// A text that must not be printed.
  package func secret(_ name: String) -> Secret? { self[name].map(Secret.init) }

  /// A number, or a text that holds one, as some vendors send it.
  package func number(_ name: String) -> Double? {
    let number = values[name].flatMap { $0.number ?? $0.text.flatMap { Double($0) } }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  /// A number without its fraction; nil for one outside the range.
  package func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    number(name).flatMap { Int($0, in: range) }
  }

  /// A number of seconds, between 1 second and 10 years; nil for anything else.
  package func seconds(_ name: String) -> Duration? {
    integer(name, in: 1...Int(AccessToken.longestLifetime.components.seconds)).map { .seconds($0) }
  }

  /// Seconds since 1970 (UTC), or parts of them; nil for anything after the year 9999.
  package func date(_ name: String, partsOfSecond parts: Double = 1) -> Date? {
    number(name).flatMap { Date(boundedSecondsSince1970: $0 / parts) }
  }

  /// A truth value, or the text `true` or `false`.
  package func flag(_ name: String) -> Bool? { values[name]?.flag }

  /// An object.
  package func members(_ name: String) -> JSONMembers? {
    if case .object(let values) = values[name] { JSONMembers(values) } else { nil }
  }

  /// The objects of an array; empty if there is none.
  package func list(_ name: String) -> [JSONMembers] {
    guard case .array(let elements) = values[name] else { return [] }
    return elements.compactMap { if case .object(let values) = $0 { JSONMembers(values) } else { nil } }
  }

  /// The texts of an array; empty if there is none.
  package func texts(_ name: String) -> [String] {
    guard case .array(let elements) = values[name] else { return [] }
    return elements.compactMap(\.text)
  }
}

extension JSONMembers: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<JSON object>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
