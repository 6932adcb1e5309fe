import Foundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A TCP socket on 127.0.0.1, whose calls block.
struct Socket: Sendable {
  private let descriptor: Int32

  struct Failure: Error {
    let number = errno
  }

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Listens, on a free port for 0.
  init(listeningOn port: UInt16) throws {
    descriptor = socket(AF_INET, Self.stream, 0)
    var yes: Int32 = 1
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let isListening = unsafe Self.withAddress(port) {
      unsafe bind(descriptor, $0, $1) == 0 && listen(descriptor, 128) == 0
    }
    guard isListening else { throw Failure() }
  }

  init(connectedTo port: UInt16) throws {
    descriptor = socket(AF_INET, Self.stream, 0)
    let isConnected = unsafe Self.withAddress(port) { unsafe connect(descriptor, $0, $1) == 0 }
    guard isConnected else {
      close()
      throw Failure()
    }
  }

  var port: UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &size) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Nil once the listener was shut down.
  func accepted() -> Socket? {
    let accepted = accept(descriptor, nil, nil)
    return accepted < 0 ? nil : Socket(accepted)
  }

  /// Nil at the end.
  func receive() -> Data? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Data(bytes[..<count]) : nil
  }

  @discardableResult
  func transmit(_ data: Data) -> Bool {
    var rest = data
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, Self.silently) }
      if count <= 0 { return false }
      rest = Data(rest.dropFirst(count))
    }
    return true
  }

  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  func shutDown() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close()
  }

  func close() { closeDescriptor(descriptor) }

  private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

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
}

// The name is taken inside `Socket`.
private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }
