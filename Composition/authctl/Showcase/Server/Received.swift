import FlyingFox
import Foundation

/// What the showcase looks at of a request; the body is read only once the rest is accepted.
struct Received: Sendable {
  let method: String
  /// Without the query, as it came.
  let path: String
  let query: FormFields
  let headers: [String: String]

  init(method: String, path: String, query: String = "", headers: [String: String]) {
    self.method = method
    self.path = path
    self.query = FormFields(query)
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
  }

  init(_ request: HTTPRequest) {
    self.init(
      method: request.method.rawValue, path: request.target.path(), query: request.target.query(),
      headers: Dictionary(request.headers.map { ($0.key.rawValue, $0.value) }) { first, _ in first })
  }

  func cookie(_ name: String) -> String? {
    headers["cookie"]?.split(separator: ";").lazy.map { $0.trimmingPrefix(while: \.isWhitespace) }
      .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }
}
