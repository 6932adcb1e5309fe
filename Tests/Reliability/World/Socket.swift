import FlyingSocks
import Foundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A TCP socket on 127.0.0.1, whose calls block.
struct Socket: Sendable {
  private let socket: FlyingSocks.Socket

  private init(_ socket: FlyingSocks.Socket) { self.socket = socket }

  /// Listens, on a free port for 0.
  init(listeningOn port: UInt16) throws {
    socket = try FlyingSocks.Socket(domain: AF_INET)
    try socket.setValue(true, for: .localAddressReuse)
    try socket.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
    try socket.listen(maxPendingConnection: 128)
  }

  init(connectedTo port: UInt16) throws {
    socket = try FlyingSocks.Socket(domain: AF_INET)
    do { try socket.connect(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port)) } catch {
      close()
      throw error
    }
  }

  var port: UInt16 { if case .ip4(_, let port)? = try? socket.sockname() { port } else { 0 } }

  /// Nil once the listener was shut down.
  func accepted() -> Socket? { (try? socket.accept()).map { Socket(FlyingSocks.Socket(file: $0.file)) } }

  /// Nil at the end.
  func receive() -> Data? { (try? socket.read(atMost: 65_536)).map { Data($0) } }

  @discardableResult
  func transmit(_ data: Data) -> Bool {
    do {
      var index = data.startIndex
      while index < data.endIndex { index = try socket.write(data, from: index) }
      return true
    } catch {
      return false
    }
  }

  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(
      socket.file.rawValue, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  func shutDown() {
    shutdown(socket.file.rawValue, Int32(SHUT_RDWR))
    close()
  }

  func close() { try? socket.close() }
}
