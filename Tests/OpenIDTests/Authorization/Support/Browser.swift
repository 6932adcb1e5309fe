import FlyingSocks
import Foundation

/// A connection of raw bytes to a port of 127.0.0.1. All calls block, 30 seconds at most.
final class Browser: Sendable {
  private let socket: Socket

  /// Nil where no server listens.
  init?(port: UInt16) {
    guard let socket = try? Socket(domain: AF_INET) else { return nil }
    self.socket = socket
    do {
      try socket.setValue(timeval(tv_sec: 30, tv_usec: 0), for: ReceiveTimeout())
      try socket.connect(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
    } catch {
      // Closed by `deinit`, which runs here too: a second time it would close another file's descriptor.
      return nil
    }
  }

  deinit { try? socket.close() }

  /// A write after the other side has hung up is lost without a signal.
  func send(_ text: String) {
    let data = Data(text.utf8)
    var index = data.startIndex
    while index < data.endIndex, let next = try? socket.write(data, from: index) { index = next }
  }

  /// Everything until the other side ends the connection; nil where it did not within 30 seconds.
  func receive() -> String? {
    var received: [UInt8] = []
    while true {
      do {
        received += try socket.read(atMost: 4_096)
      } catch SocketError.blocked {
        return nil
      } catch {
        return String(decoding: received, as: UTF8.self)
      }
    }
  }

  /// One request, and the whole answer.
  static func ask(_ port: UInt16, _ request: String) -> String? {
    guard let browser = Browser(port: port) else { return nil }
    browser.send(request)
    return browser.receive()
  }

  /// Whether a sign-in still listens there. Another process may have the port by then, and answers otherwise.
  static func isAwaited(on port: UInt16) -> Bool {
    guard let browser = Browser(port: port) else { return false }
    browser.send(get("/callback?code=late&state=the-state", port))
    return browser.receive()?.hasPrefix("HTTP/1.1 200") ?? true
  }

  static func get(_ target: String, _ port: UInt16) -> String {
    "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
  }
}

private struct ReceiveTimeout: SocketOption {
  let level = SOL_SOCKET
  let name = SO_RCVTIMEO

  func makeValue(from value: timeval) -> timeval { value }
  func makeSocketValue(from value: timeval) -> timeval { value }
}
