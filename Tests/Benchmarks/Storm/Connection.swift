import FlyingSocks
import Foundation

/// A socket that listens on a free port of this machine.
struct Listener: Sendable {
  private let socket: Socket
  let port: UInt16

  init() throws {
    socket = try Socket(domain: AF_INET)
    try socket.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: 0))
    try socket.listen(maxPendingConnection: 64)
    guard case .ip4(_, let port) = try socket.sockname() else { throw POSIXError(.EADDRNOTAVAIL) }
    self.port = port
  }

  func accept() -> Connection? { (try? socket.accept()).map { Connection(socket: Socket(file: $0.file)) } }
}

/// One HTTP exchange.
struct Connection: Sendable {
  let socket: Socket

  /// The request's body; nil where it does not come whole.
  func readBody() -> Data? {
    var data = Data()
    while true {
      guard let more = try? socket.read(atMost: 4_096) else { return nil }
      data.append(contentsOf: more)
      guard let end = data.firstRange(of: Data("\r\n\r\n".utf8)) else { continue }
      let head = String(decoding: data[..<end.lowerBound], as: UTF8.self).lowercased()
      let field = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
      let length = field.flatMap { Int($0.dropFirst(15).filter(\.isNumber)) } ?? 0
      if data.count - end.upperBound >= length { return data[end.upperBound...] }
    }
  }

  func write(_ body: Data) {
    let head = """
      HTTP/1.1 200 OK\r
      Content-Type: application/json\r
      Content-Length: \(body.count)\r
      Connection: close\r
      \r

      """
    _ = try? socket.write(Data(head.utf8) + body)
    try? socket.close()
  }
}
