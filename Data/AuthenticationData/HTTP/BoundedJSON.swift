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
    guard isShallow(json) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [], debugDescription: "JSON that nests deeper than \(maximumDepth) levels, or is not in UTF-8.")
      )
    }
    let decoder = JSONDecoder()
    if let dates { decoder.dateDecodingStrategy = dates }
    return try decoder.decode(type, from: json)
  }

  /// A zero byte is in no JSON of UTF-8, and in all of UTF-16 and UTF-32, which `JSONDecoder` reads as well and in
  /// which a byte does not show whether it is within a string.
  private static func isShallow(_ json: Data) -> Bool {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in json {
      if byte == 0 { return false }
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth > maximumDepth { return false }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(depth - 1, 0)
      default: break
      }
    }
    return true
  }
}
