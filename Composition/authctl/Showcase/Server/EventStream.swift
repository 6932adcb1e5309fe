import AuthenticationTestingServers
import FlyingFox
import FlyingSocks
import Foundation

/// Server-sent events (HTML §9.2): each one a whole snapshot, so that none is missed for good.
struct EventStream: AsyncBufferedSequence {
  typealias Element = UInt8

  let events: AsyncStream<String>

  func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var events: AsyncStream<String>.Iterator

    mutating func next() async -> UInt8? { nil }

    mutating func nextBuffer(suggested count: Int) async -> [UInt8]? {
      await events.next(isolation: #isolation).map { Array($0.utf8) }
    }
  }

  /// Sent every now and then, so that a browser that has left is noticed.
  static let heartbeat = ":\n\n"

  static func event(_ name: String, id: Int, _ data: some Encodable) -> String {
    // JSON has no line breaks of its own.
    let json = (try? JSONEncoder().encode(data)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    return "event: \(name)\nid: \(id)\ndata: \(json)\n\n"
  }
}

extension HTTPResponse {
  static func events(_ events: AsyncStream<String>) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok, headers: headers(type: "text/event-stream; charset=utf-8"),
      body: HTTPBodySequence(from: EventStream(events: events)))
  }
}
