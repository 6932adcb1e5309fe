public import AuthenticationDomain

/// Header fields in the order they were added; names compare without case (RFC 9110 §5.1). No description shows a
/// value.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private struct Field: Sendable, Hashable {
    let name: String
    let value: Secret
  }

  private var list: [Field] = []

  /// Every field in its order as written, repeated names included.
  public var fields: [(name: String, value: Secret)] { list.map { ($0.name, $0.value) } }

  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// The first value of that name. Setting a value replaces every field of that name; setting nil removes them.
  public subscript(name: String) -> String? {
    get { list.first { $0.name.equalsIgnoringCase(name) }?.value.reveal() }
    set {
      list.removeAll { $0.name.equalsIgnoringCase(name) }
      if let newValue { append(name, newValue) }
    }
  }

  /// Every value of that name, in order; each may itself be a list with commas (RFC 9110 §5.3).
  public func values(of name: String) -> [String] {
    list.filter { $0.name.equalsIgnoringCase(name) }.map { $0.value.reveal() }
  }

  /// Removes the fields for whose name the closure returns true.
  mutating func removeAll(where isRemoved: (String) -> Bool) { list.removeAll { isRemoved($0.name) } }

  /// Adds a field, and keeps existing ones of the same name (RFC 9110 §5.2).
  public mutating func append(_ name: String, _ value: String) { list.append(Field(name: name, value: Secret(value))) }

  /// One field for each name: the values of repeated fields, in order, separated by commas (RFC 9110 §5.3).
  var joined: HTTPHeaders {
    fields.reduce(into: [:]) { joined, field in
      let value = field.value.reveal()
      joined[field.name] = joined[field.name].map { "\($0), \(value)" } ?? value
    }
  }

  /// Continues the value of the field that was added last (RFC 9112 §5.2).
  mutating func continueLast(with text: Substring) {
    guard let last = list.popLast() else { return }
    append(last.name, last.value.isEmpty ? String(text) : "\(last.value.reveal()) \(text)")
  }
}

extension String {
  /// ASCII case only, as header names and token types have no other (RFC 9110 §5.6.2).
  package func equalsIgnoringCase(_ other: String) -> Bool {
    utf8.count == other.utf8.count
      && utf8.elementsEqual(other.utf8) { $0 == $1 || ($0 ^ $1 == 0x20 && ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A) }
  }
}
