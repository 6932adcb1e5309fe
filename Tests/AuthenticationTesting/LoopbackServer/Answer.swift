#if Tools
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An HTTP answer as a value.
struct Answer: Sendable {
  var status: Int
  var headers: [String: String] = [:]
  var body = Data()

  static func json(_ text: String, status: Int = 200) -> Answer {
    Answer(status: status, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
  }

  static func json(_ value: some Encodable, status: Int = 200) -> Answer {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let body = try? encoder.encode(value) else { return .error("server_error", status: 500) }
    return Answer(status: status, headers: ["Content-Type": "application/json"], body: body)
  }

  static func error(_ code: String, status: Int) -> Answer {
    .json("{\"error\":\"\(code)\"}", status: status)
  }

  /// RFC 6750 §3.
  static func bearerChallenge(_ attributes: String, code: String, status: Int) -> Answer {
    .error(code, status: status).adding("WWW-Authenticate", "Bearer \(attributes)")
  }

  func adding(_ name: String, _ value: String) -> Answer {
    var answer = self
    answer.headers[name] = value
    return answer
  }
}
#endif
