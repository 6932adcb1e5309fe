#if Tools
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

/// A request to a vendor's service, taken apart.
struct VendorRequest: Sendable {
  let recorded: VendorTraffic.RecordedRequest
  /// Decoded, in parts.
  let path: [String]
  let query: Fields

  init(_ recorded: VendorTraffic.RecordedRequest) {
    self.recorded = recorded
    path = recorded.path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    query = Fields(recorded.query)
  }

  var method: String { recorded.method }

  /// The media type of the body, without parameters.
  var mediaType: String? {
    recorded.header("Content-Type")?.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The members of a JSON object in the body; nil if it is none, or not said to be one.
  var json: [String: JSONValue]? {
    guard mediaType?.lowercased() == "application/json" else { return nil }
    return try? JSONDecoder().decode([String: JSONValue].self, from: recorded.body)
  }

  /// The fields of a form in the body; nil if it is not said to be one.
  var form: Fields? {
    mediaType?.lowercased() == "application/x-www-form-urlencoded"
      ? Fields(String(decoding: recorded.body, as: UTF8.self)) : nil
  }
}

/// The members of a JSON body, read strictly: one of the wrong type, or one that the vendor does not know, is refused.
struct VendorMembers: Sendable {
  let values: [String: JSONValue]
  let refusal: VendorRefusal

  init(
    _ values: [String: JSONValue], only known: Set<String>, else refusal: VendorRefusal
  ) throws(VendorRefusal) {
    guard known.isSuperset(of: values.keys) else { throw refusal }
    self.values = values
    self.refusal = refusal
  }

  func text(_ name: String) throws(VendorRefusal) -> String? {
    guard let value = values[name] else { return nil }
    guard let text = value.text else { throw refusal }
    return text.isEmpty ? nil : text
  }

  func flag(_ name: String) throws(VendorRefusal) -> Bool {
    switch values[name] {
    case nil: return false
    case .boolean(let flag): return flag
    default: throw refusal
    }
  }

  func texts(_ name: String) throws(VendorRefusal) -> [String] {
    guard let value = values[name] else { return [] }
    guard case .array(let elements) = value else { throw refusal }
    let texts = elements.compactMap(\.text)
    guard texts.count == elements.count else { throw refusal }
    return texts
  }

  func object(_ name: String) throws(VendorRefusal) -> [String: JSONValue]? {
    guard let value = values[name] else { return nil }
    guard case .object(let members) = value else { throw refusal }
    return members
  }
}
#endif
