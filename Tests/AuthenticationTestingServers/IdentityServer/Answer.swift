#if Tools
package import Foundation

/// An HTTP response as a value.
package struct Answer: Sendable {
  package var status: Int
  package var headers: [String: String] = [:]
  package var body = Data()

  package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package static func json(_ text: String, status: Int = 200) -> Answer {
    Answer(status: status, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
  }

  package static func json(_ value: some Encodable, status: Int = 200) -> Answer {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let body = try? encoder.encode(value) else { return .error("server_error", status: 500) }
    return Answer(status: status, headers: ["Content-Type": "application/json"], body: body)
  }

  package static func error(_ code: String, status: Int) -> Answer {
    .json("{\"error\":\"\(code)\"}", status: status)
  }

  /// RFC 6750 §3.
  package static func bearerChallenge(_ attributes: String, code: String, status: Int) -> Answer {
    .error(code, status: status).adding("WWW-Authenticate", "Bearer \(attributes)")
  }

  package func adding(_ name: String, _ value: String) -> Answer {
    var answer = self
    answer.headers[name] = value
    return answer
  }
}
#endif
