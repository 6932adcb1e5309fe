import Foundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A connection of raw bytes to a port of 127.0.0.1. All calls block, 30 seconds at most.
final class Browser: Sendable {
  private let descriptor: Int32

  /// Nil where no server listens.
  init?(port: UInt16) {
    #if canImport(Glibc)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_INET, Int32(SOCK_STREAM), 0)
    #endif
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let descriptor = descriptor
    let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    // Closed by `deinit`, which runs here too: a second time it would close another file's descriptor.
    if !isConnected { return nil }
  }

  deinit { close(descriptor) }

  /// A write after the other side has hung up is lost without a signal.
  func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe sendSilently(descriptor, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Everything until the other side ends the connection; nil where it did not within 30 seconds.
  func receive() -> String? {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 && errno == EAGAIN { return nil }
      if count <= 0 { return String(decoding: received, as: UTF8.self) }
      received += buffer.prefix(count)
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

private func sendSilently(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Darwin)
  unsafe send(descriptor, bytes, count, 0)
  #else
  unsafe send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
  #endif
}
