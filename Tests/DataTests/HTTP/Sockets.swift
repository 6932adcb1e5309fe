import Foundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The few calls of the sockets API that a ``SocketServer`` makes. All of them block.
enum Sockets {
  #if canImport(Darwin)
  private static let stream = SOCK_STREAM
  private static let silently: Int32 = 0
  #elseif canImport(Musl)
  private static let stream = Int32(SOCK_STREAM)
  private static let silently = Int32(MSG_NOSIGNAL)
  #else
  private static let stream = Int32(SOCK_STREAM.rawValue)
  private static let silently = Int32(MSG_NOSIGNAL)
  #endif

  struct Failure: Error {
    let number = errno
  }

  /// Takes a free port of 127.0.0.1; unless it listens, connections to it are refused.
  static func open(listens: Bool) throws -> (socket: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw Failure() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        unsafe bind(descriptor, general, size) == 0 && (!listens || listen(descriptor, 128) == 0)
          && getsockname(descriptor, general, &size) == 0
      }
    }
    guard result else { throw Failure() }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// Hands over each connection until the listener is told to end, and closes it then: closed by another thread, its
  /// number may be another listener's by the time it is asked again.
  static func acceptEach(_ listener: Int32, _ serve: (Int32) -> Void) {
    while let connection = accept(listener) { serve(connection) }
    #if !canImport(Darwin)
    close(listener)
    #endif
  }

  /// Ends the wait of ``acceptEach(_:_:)``.
  static func endAccepting(_ listener: Int32) {
    #if canImport(Darwin)
    close(listener)
    #else
    shutdown(listener, Int32(SHUT_RDWR))
    #endif
  }

  /// Nil once the listener was shut down.
  private static func accept(_ listener: Int32) -> Int32? {
    #if canImport(Darwin)
    let connection = Darwin.accept(listener, nil, nil)
    var yes: Int32 = 1
    if connection >= 0 {
      unsafe setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
    #elseif canImport(Musl)
    let connection = Musl.accept(listener, nil, nil)
    #else
    let connection = Glibc.accept(listener, nil, nil)
    #endif
    return connection >= 0 ? connection : nil
  }

  /// The head, and as much of a body as its Content-Length says; nil where a client begins a TLS handshake instead.
  static func readRequest(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var end: Int?
    while true {
      if end == nil, let head = String(decoding: bytes, as: UTF8.self).range(of: "\r\n\r\n") {
        let text = String(decoding: bytes, as: UTF8.self)
        let length = text[..<head.lowerBound].lowercased().components(separatedBy: "\r\n")
          .first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(15).filter(\.isNumber)) }
        end = text[..<head.upperBound].utf8.count + (length ?? 0)
      }
      if let end, bytes.count >= end { return String(decoding: bytes, as: UTF8.self) }
      guard let more = receive(connection), more.first != 0x16 else { return nil }
      bytes += more
    }
  }

  static func send(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe systemSend(connection, $0.baseAddress, $0.count, silently) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  static func waitForEnd(_ connection: Int32) {
    while receive(connection) != nil {}
  }

  static func resetOnClose(_ connection: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  static func shutDown(_ listener: Int32) {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

  static func receive(_ connection: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(connection, $0.baseAddress, $0.count, 0) }
      if count > 0 { return Array(buffer.prefix(count)) }
      if count == 0 || errno != EINTR { return nil }
    }
  }
}

// The names of these calls are taken inside `Sockets`.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
  unsafe send(descriptor, bytes, count, flags)
}
