import Foundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A socket that listens on a free port of this machine.
struct Listener: Sendable {
  private let descriptor: Int32
  let port: UInt16

  init() throws {
    #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard unsafe bind(descriptor, address, size) == 0, listen(descriptor, 64) == 0 else { return false }
        return unsafe getsockname(descriptor, address, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  func accept() -> Connection? {
    #if canImport(Darwin)
    let accepted = Darwin.accept(descriptor, nil, nil)
    #elseif canImport(Musl)
    let accepted = unsafe Musl.accept(descriptor, nil, nil)
    #else
    let accepted = Glibc.accept(descriptor, nil, nil)
    #endif
    return accepted < 0 ? nil : Connection(descriptor: accepted)
  }
}

/// One HTTP exchange.
struct Connection: Sendable {
  let descriptor: Int32

  /// The request's body; nil where it does not come whole.
  func readBody() -> Data? {
    var data = Data()
    while true {
      guard let more = read() else { return nil }
      data.append(more)
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
    let answer = Data(head.utf8) + body
    _ = unsafe answer.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, 0) }
    close(descriptor)
  }

  private func read() -> Data? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Data(bytes[..<count]) : nil
  }
}
