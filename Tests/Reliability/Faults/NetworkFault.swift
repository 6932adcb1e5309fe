import ReliabilityWorld

/// A fault of the road to the server, and the allowed results of the caller.
struct NetworkFault: Sendable {
  let name: String
  /// Nil where no server listens.
  let wire: WireFault?
  let codes: Set<String>
  /// Whether only the first exchange fails.
  var isOnce = false

  static let all: [NetworkFault] = [
    .init(name: "connection refused", wire: nil, codes: ["unreachable"]),
    .init(name: "reset before the server sees it", wire: .resetBeforeProcessing, codes: ["connection_lost"]),
    .init(name: "answer dropped, once", wire: .dropAfterProcessing, codes: ["ok"], isOnce: true),
    .init(name: "answer dropped", wire: .dropAfterProcessing, codes: ["connection_lost"]),
    .init(name: "reset after processing", wire: .resetAfterProcessing, codes: ["connection_lost"]),
    .init(name: "head cut off", wire: .truncatedHead, codes: ["connection_lost"]),
    .init(name: "body cut off", wire: .truncatedBody, codes: ["connection_lost"]),
    .init(name: "half of the JSON", wire: .halfJSON, codes: ["unexpected_response"]),
    .init(name: "garbage in place of JSON", wire: .garbageBody, codes: ["unexpected_response"]),
    .init(name: "garbage in place of HTTP", wire: .garbage, codes: ["connection_lost", "unexpected_response"]),
    .init(name: "200 with HTML", wire: html("200 OK"), codes: ["unexpected_response"]),
    .init(name: "200 and empty", wire: .answer("", status: "200 OK"), codes: ["unexpected_response"]),
    .init(name: "400 with HTML", wire: html("400 Bad Request"), codes: ["unexpected_response"]),
    .init(name: "401 with HTML", wire: html("401 Unauthorized"), codes: ["unexpected_response"]),
    .init(name: "404", wire: html("404 Not Found"), codes: ["endpoint_missing"]),
    .init(name: "429, Retry-After 1", wire: later("429 Too Many Requests"), codes: ["rate_limited"]),
    .init(name: "500", wire: html("500 Internal Server Error"), codes: ["server_failed"]),
    .init(name: "503, Retry-After 1", wire: later("503 Service Unavailable"), codes: ["server_failed"]),
    .init(name: "hangs", wire: .hang, codes: ["timed_out"]),
    .init(name: "drips", wire: .drip, codes: ["timed_out"]),
  ]

  private static func html(_ status: String) -> WireFault {
    .answer("<!doctype html><p>invalid_grant</p>", status: status, headers: ["Content-Type: text/html"])
  }

  private static func later(_ status: String) -> WireFault {
    .answer(#"{"error":"later"}"#, status: status, headers: ["Content-Type: application/json", "Retry-After: 1"])
  }
}
