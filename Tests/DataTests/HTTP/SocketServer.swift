import Foundation
import Synchronization

/// An HTTP server of raw bytes on 127.0.0.1: it keeps each request as it came, and sends exactly the bytes of a test,
/// whole or cut. One request per connection; each connection is served on a separate thread.
final class SocketServer: Sendable {
  enum Step: Sendable {
    case send(String)
    /// Sends 256 MiB as fast as the client takes them, and waits until it hangs up.
    case flood
    /// Says that everything so far was sent, and waits until the client hangs up.
    case hold
    /// Ends the connection with a reset instead of an orderly end.
    case reset
  }

  let port: UInt16
  /// Requests that have arrived whole; answers that hold; connections that the client ended first.
  let arrivals = Tally()
  let holds = Tally()
  let hangUps = Tally()

  private let listener: Int32
  private let answer: @Sendable (String) -> [Step]
  private let received = Mutex<[String]>([])

  /// - Parameter answer: the bytes to send for a request, which is given with its head and its body.
  init(answer: @escaping @Sendable (String) -> [Step]) throws {
    self.answer = answer
    (listener, port) = try Sockets.open(listens: true)
    Thread.detachNewThread { [self] in
      Sockets.acceptEach(listener) { connection in
        Thread.detachNewThread { [self] in serve(connection) }
      }
    }
  }

  convenience init(_ steps: Step...) throws { try self.init { _ in steps } }

  /// Must be called: the listening thread keeps the server alive until then.
  func stop() { Sockets.endAccepting(listener) }

  func url(_ path: String = "/") -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

  /// As they came, byte for byte, where they are UTF-8.
  var requests: [String] { received.withLock { $0 } }

  private func serve(_ connection: Int32) {
    defer { Sockets.close(connection) }
    guard let request = Sockets.readRequest(connection) else { return }
    received.withLock { $0.append(request) }
    arrivals.add()
    for step in answer(request) {
      switch step {
      case .send(let text):
        guard Sockets.send(connection, Array(text.utf8)) else { return }
      case .flood:
        let piece = [UInt8](repeating: 0x78, count: 65_536)
        var rest = 4_096
        while rest > 0, Sockets.send(connection, piece) { rest -= 1 }
        Sockets.waitForEnd(connection)
        hangUps.add()
      case .hold:
        holds.add()
        Sockets.waitForEnd(connection)
        hangUps.add()
      case .reset:
        Sockets.resetOnClose(connection)
      }
    }
  }
}

extension SocketServer {
  /// Runs a test against a server of these steps, which ends with it.
  static func run<Value>(
    _ answer: @escaping @Sendable (String) -> [Step], _ body: (SocketServer) async throws -> Value
  ) async throws -> Value {
    let server = try SocketServer(answer: answer)
    defer { server.stop() }
    return try await body(server)
  }

  static func run<Value>(_ steps: Step..., body: (SocketServer) async throws -> Value) async throws -> Value {
    try await run({ _ in steps }, body)
  }

  /// A whole answer: the head's lines, and a body with its length.
  static func answer(_ status: String, _ lines: [String] = [], body: String = "") -> Step {
    let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + lines
    return .send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }
}

/// A port of 127.0.0.1 that is taken, and refuses connections.
final class ClosedPort: Sendable {
  let number: UInt16
  private let socket: Int32

  init() throws { (socket, number) = try Sockets.open(listens: false) }

  deinit { Sockets.close(socket) }
}
