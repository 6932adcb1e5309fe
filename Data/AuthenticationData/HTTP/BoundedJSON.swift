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
  ///   - type: the type of the value.
  ///   - json: the bytes, as a provider or a resource sent them.
  ///   - dates: how dates are written; nil for seconds since 2001 (UTC), as `JSONDecoder` has it.
  /// - Throws: `DecodingError` if it nests deeper, is not in UTF-8, or is not such a value.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from json: Data, dates: JSONDecoder.DateDecodingStrategy? = nil
  ) throws -> Value {
    guard let text = pruned(json, below: maximumDepth), text.count == json.count else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [], debugDescription: "JSON that nests deeper than \(maximumDepth) levels, or is not in UTF-8.")
      )
    }
    let decoder = JSONDecoder()
    if let dates { decoder.dateDecodingStrategy = dates }
    return try decoder.decode(type, from: json)
  }

  /// The depth to which JSON with claims of a user among its members is decoded: deeper than any claim that is kept, so
  /// that one that was pruned is left out by its name.
  package static let prunedDepth = 40

  /// Returns the JSON with `0` in place of each object and array that nests deeper, so that the rest can be used.
  ///
  /// A zero byte is in no JSON of UTF-8, and in all of UTF-16 and UTF-32, which `JSONDecoder` reads as well and in which
  /// a byte does not show whether it is within a string.
  ///
  /// - Parameter limit: the number of levels that stay.
  /// - Returns: nil if it is not in UTF-8.
  private static func pruned(_ json: Data, below limit: Int) -> Data? {
    var kept: [UInt8] = []
    kept.reserveCapacity(json.count)
    var depth = 0
    var (isInString, isEscaped, isASCII) = (false, false, true)
    for byte in json {
      if byte == 0 { return nil }
      if byte >= 0x80 { isASCII = false }
      var stays = depth <= limit
      if isInString {
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          if depth == limit + 1 { kept.append(UInt8(ascii: "0")) }
          stays = depth <= limit
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(depth - 1, 0)
        default: break
        }
      }
      if stays { kept.append(byte) }
    }
    // `JSONDecoder` does not look at a text that it is not asked for.
    return isASCII || String(validating: json, as: UTF8.self) != nil ? Data(kept) : nil
  }

  /// Decodes a value with `0` in place of members that nest too deep.
  package static func decodePruned<Value: Decodable>(_ type: Value.Type, from json: Data) -> Value? {
    pruned(json, below: prunedDepth).flatMap { try? JSONDecoder().decode(type, from: $0) }
  }
}
