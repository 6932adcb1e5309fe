package import AuthenticationDomain
public import Foundation

/// JSON of a server or a store, decoded only if it nests at most 32 levels deep.
///
/// `JSONDecoder` calls itself for each level: 200 nested objects overflow a stack of 512 KiB, as that of a thread of
/// Apple's dispatch has, and end the process.
///
/// ```swift
/// let names = try BoundedJSON.decode([String].self, from: response.body)
/// ```
public enum BoundedJSON {
  /// The number of objects and arrays that may contain each other: 32.
  package static let maximumDepth = 32

  /// Decodes a value from JSON in UTF-8 (RFC 8259 §8.1, §9).
  ///
  /// - Parameters:
  ///   - type: what the JSON is a value of.
  ///   - json: the bytes, as a provider or a resource sent them.
  ///   - dates: how dates are written; nil for seconds since 2001 (UTC), as `JSONDecoder` has it.
  /// - Throws: `DecodingError` if it nests deeper, is not in UTF-8, or is not such a value.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from json: Data, dates: JSONDecoder.DateDecodingStrategy? = nil
  ) throws -> Value {
    guard deepValues(in: json)?.isEmpty == true else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [], debugDescription: "JSON that nests deeper than \(maximumDepth) levels, or is not in UTF-8.")
      )
    }
    let decoder = JSONDecoder()
    if let dates { decoder.dateDecodingStrategy = dates }
    return try decoder.decode(type, from: json)
  }

  /// Decodes the members of an object, without those that nest too deep, so that the others can be used.
  ///
  /// - Returns: the members, and the names of those that were left out; nil if it is no object.
  package static func members(of json: Data) -> (kept: [String: JSONValue], tooDeep: [String])? {
    guard let deep = deepValues(in: json) else { return nil }
    var shallow = json
    for value in deep.reversed() { shallow.replaceSubrange(value.range, with: Data(#""""#.utf8)) }
    guard var kept = try? JSONDecoder().decode([String: JSONValue].self, from: shallow) else { return nil }
    let names = deep.compactMap { try? JSONDecoder().decode(String.self, from: json[$0.name]) }
    for name in names { kept[name] = nil }
    return (kept, names)
  }

  /// The members of the outermost object or array that nest too deep: their values, and the text before each, which is
  /// its name in an object.
  ///
  /// A zero byte is in no JSON of UTF-8, and in all of UTF-16 and UTF-32, which `JSONDecoder` reads as well and in which
  /// a byte does not show whether it is within a string: nil.
  private static func deepValues(in json: Data) -> [(name: Range<Int>, range: Range<Int>)]? {
    var found: [(name: Range<Int>, range: Range<Int>)] = []
    var (depth, deepest) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    var (textStart, valueStart) = (json.startIndex, json.startIndex)
    var name = json.startIndex..<json.startIndex
    var index = json.startIndex - 1
    var isASCII = true
    for byte in json {
      index += 1
      if byte == 0 { return nil }
      if byte >= 0x80 { isASCII = false }
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
          if depth == 1 { name = textStart..<index + 1 }
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): (isInString, textStart) = (true, index)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        deepest = max(deepest, depth)
        if depth == 2 { valueStart = index }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth = max(depth - 1, 0)
        if depth == 1 {
          if deepest > maximumDepth { found.append((name, valueStart..<index + 1)) }
          deepest = 0
        }
      default: break
      }
    }
    if deepest > maximumDepth { found.append((name, valueStart..<json.endIndex)) }
    // `JSONDecoder` does not look at a text that it is not asked for.
    return isASCII || String(validating: json, as: UTF8.self) != nil ? found : nil
  }
}
