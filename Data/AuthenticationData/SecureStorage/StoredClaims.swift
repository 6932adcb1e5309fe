import AuthenticationDomain

/// Claims as fields of a stored record: a name, then one field for each value, containers with their number of items.
///
/// No JSON is parsed, since the first use of a parser would cost a launching process more than all the rest.
enum StoredClaims {
  static let maximumDepth = 64

  static func write(_ claims: [String: JSONValue], to writer: inout StoredFields.Writer) {
    for (name, value) in claims.sorted(by: { $0.key < $1.key }) {
      writer.add("claim", name)
      write(value, to: &writer, depth: 0)
    }
  }

  private static func write(_ value: JSONValue, to writer: inout StoredFields.Writer, depth: Int) {
    guard depth < maximumDepth else { return writer.add("claim-null", "") }
    switch value {
    case .null: writer.add("claim-null", "")
    case .boolean(let flag): writer.add("claim-flag", flag ? "yes" : "no")
    case .number(let number): writer.add("claim-number", String(number))
    case .string(let text): writer.add("claim-text", text)
    case .array(let items):
      writer.add("claim-array", String(items.count))
      for item in items { write(item, to: &writer, depth: depth + 1) }
    case .object(let members):
      writer.add("claim-object", String(members.count))
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        writer.add("claim-member", name)
        write(member, to: &writer, depth: depth + 1)
      }
    }
  }

  /// Collects the fields of claims as they are read.
  struct Draft {
    private var fields: [(name: String, value: String)] = []

    mutating func take(_ name: String, _ value: String) { fields.append((name, value)) }

    /// What was read; a claim that is not complete is left out.
    var claims: [String: JSONValue] {
      var rest = fields[...]
      var claims: [String: JSONValue] = [:]
      while let field = rest.popFirst() {
        if field.name == "claim", let value = Self.value(from: &rest, depth: 0) { claims[field.value] = value }
      }
      return claims
    }

    private static func value(from rest: inout ArraySlice<(name: String, value: String)>, depth: Int) -> JSONValue? {
      guard depth < maximumDepth, let next = rest.first, next.name != "claim", next.name != "claim-member" else {
        return nil
      }
      rest.removeFirst()
      switch next.name {
      case "claim-null": return .null
      case "claim-flag": return .boolean(next.value == "yes")
      case "claim-number": return Double(next.value).map { .number($0) }
      case "claim-text": return .string(next.value)
      case "claim-array": return array(Int(next.value), from: &rest, depth: depth + 1)
      case "claim-object": return object(Int(next.value), from: &rest, depth: depth + 1)
      default: return nil
      }
    }

    private static func array(
      _ count: Int?, from rest: inout ArraySlice<(name: String, value: String)>, depth: Int
    ) -> JSONValue? {
      guard let count, 0...rest.count ~= count else { return nil }
      var items: [JSONValue] = []
      for _ in 0..<count {
        guard let item = value(from: &rest, depth: depth) else { return nil }
        items.append(item)
      }
      return .array(items)
    }

    private static func object(
      _ count: Int?, from rest: inout ArraySlice<(name: String, value: String)>, depth: Int
    ) -> JSONValue? {
      guard let count, 0...rest.count ~= count else { return nil }
      var members: [String: JSONValue] = [:]
      for _ in 0..<count {
        guard let name = rest.first, name.name == "claim-member" else { return nil }
        rest.removeFirst()
        guard let member = value(from: &rest, depth: depth) else { return nil }
        members[name.value] = member
      }
      return .object(members)
    }
  }
}
