import AuthenticationData
import AuthenticationDomain
import Foundation

/// JSON of a server: a decoded value nests no deeper than allowed, and UTF-8 that cannot be too deep is decoded as
/// ever.
enum JSONTarget {
  static func check(_ input: [UInt8]) throws {
    let json = Data(input)
    let value = try? BoundedJSON.decode(JSONValue.self, from: json)
    if let value { try Finding.unless(depth(of: value) <= BoundedJSON.maximumDepth, "no value is too deep") }
    if let pruned = BoundedJSON.decodePruned(JSONValue.self, from: json) {
      try Finding.unless(depth(of: pruned) <= BoundedJSON.prunedDepth, "nothing that is too deep stays")
      if let value { try Finding.unless(pruned == value, "only what is deep is pruned") }
    } else {
      try Finding.unless(value == nil, "what is decoded is decoded pruned, too")
    }
    let brackets = input.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    let isText = String(validating: input, as: UTF8.self) != nil
    guard value == nil, brackets <= BoundedJSON.maximumDepth, isText, !input.contains(0) else { return }
    try Finding.unless(
      (try? JSONDecoder().decode(JSONValue.self, from: json)) == nil, "what is not deep is decoded")
  }

  private static func depth(of value: JSONValue) -> Int {
    var level = [value]
    var depth = 0
    while true {
      let containers = level.filter { value in
        switch value {
        case .array, .object: true
        default: false
        }
      }
      if containers.isEmpty { return depth }
      depth += 1
      level = containers.flatMap { value -> [JSONValue] in
        switch value {
        case .array(let elements): elements
        case .object(let members): Array(members.values)
        default: []
        }
      }
    }
  }
}
