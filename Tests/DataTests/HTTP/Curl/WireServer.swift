#if os(Linux)
import AuthenticationDomain
import Foundation
import Synchronization

@testable import AuthenticationData

/// A server of raw bytes on 127.0.0.1, plain or with TLS, whose connections are kept as long as a test says: each is
/// served by a closure on a separate thread.
final class WireServer: Sendable {
  let port: UInt16
  /// Connections that were accepted; requests that arrived whole; connections that the client ended.
  let connections = Tally()
  let arrivals = Tally()
  let hangUps = Tally()
  private let listener: Int32
  private let tls: TestTLS?
  private let received = Mutex<[String]>([])

  init(_ tls: TestTLS? = nil, serve: @escaping @Sendable (WireConnection) -> Void) throws {
    self.tls = tls
    (listener, port) = try Sockets.open(listens: true)
    Thread.detachNewThread { [self] in
      Sockets.acceptEach(listener) { descriptor in
        connections.add()
        let number = connections.count
        Thread.detachNewThread { [self] in
          // OpenSSL writes to a socket that a client has closed.
          var signals = sigset_t()
          unsafe sigemptyset(&signals)
          unsafe sigaddset(&signals, SIGPIPE)
          unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
          if let wire = WireConnection(descriptor, number, tls, self) { serve(wire) }
          Sockets.close(descriptor)
        }
      }
    }
  }

  /// Must be called: the listening thread keeps the server alive until then.
  func stop() { Sockets.endAccepting(listener) }

  func url(_ path: String = "/") -> URL { URL(string: "\(tls == nil ? "http" : "https")://127.0.0.1:\(port)\(path)")! }

  var requests: [String] { received.withLock { $0 } }

  fileprivate func note(_ request: String) {
    received.withLock { $0.append(request) }
    arrivals.add()
  }

  static func run<Value>(
    _ serve: @escaping @Sendable (WireConnection) -> Void, _ body: (WireServer) async throws -> Value
  ) async throws -> Value {
    try await run(nil, serve, body)
  }

  static func run<Value>(
    _ tls: TestTLS?, _ serve: @escaping @Sendable (WireConnection) -> Void,
    _ body: (WireServer) async throws -> Value
  ) async throws -> Value {
    let server = try WireServer(tls, serve: serve)
    defer { server.stop() }
    return try await body(server)
  }
}

/// One connection of a ``WireServer``.
final class WireConnection {
  enum End: String, CaseIterable, Sendable {
    case orderly
    case reset
    /// `close_notify`, and then an orderly end; plain where there is no TLS.
    case goodbye
  }

  /// Counts from 1, in the order of acceptance.
  let number: Int
  private let descriptor: Int32
  private let session: TestTLS.Session?
  private unowned let server: WireServer
  private var unread: [UInt8] = []

  init?(_ descriptor: Int32, _ number: Int, _ tls: TestTLS?, _ server: WireServer) {
    self.descriptor = descriptor
    self.number = number
    self.server = server
    session = tls?.accept(descriptor)
    if tls != nil, session == nil { return nil }
    var yes: Int32 = 1
    unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The next request, with its body; nil where the client has hung up.
  func readRequest() -> String? {
    while true {
      let text = String(decoding: unread, as: UTF8.self)
      if let head = text.range(of: "\r\n\r\n") {
        let length =
          text[..<head.lowerBound].lowercased().components(separatedBy: "\r\n")
          .first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(15).filter(\.isNumber)) } ?? 0
        let end = text[..<head.upperBound].utf8.count + length
        if unread.count >= end {
          let request = String(decoding: unread.prefix(end), as: UTF8.self)
          unread.removeFirst(end)
          server.note(request)
          return request
        }
      }
      guard let more = receive() else { return nil }
      unread += more
    }
  }

  /// So many bytes; nil where the client hangs up before.
  func read(_ count: Int) -> [UInt8]? {
    while unread.count < count {
      guard let more = receive() else { return nil }
      unread += more
    }
    defer { unread.removeFirst(count) }
    return Array(unread.prefix(count))
  }

  @discardableResult
  func send(_ bytes: some Collection<UInt8>) -> Bool {
    if let session { return session.send(Array(bytes)) }
    return Sockets.send(descriptor, Array(bytes))
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Then the closure that serves the connection ends.
  func end(_ end: End) {
    switch end {
    case .orderly: return
    case .goodbye: session?.sayGoodbye()
    case .reset: Sockets.resetOnClose(descriptor)
    }
  }

  func waitForEnd() {
    while receive() != nil {}
    server.hangUps.add()
  }

  private func receive() -> [UInt8]? {
    if let session { return session.receive() }
    return Sockets.receive(descriptor)
  }
}
#endif
