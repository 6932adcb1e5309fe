#if os(macOS) || os(Linux)
import AuthenticationDomain
import Testing

@testable import AuthenticationBrowser
@testable import AuthenticationOpenID
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite struct ListeningSocketTests {
  // A program that is being started has, for a moment, all that its parent had open.
  @Test func `a closed port refuses connections, also where a child process has inherited its socket`() throws {
    let socket = try ListeningSocket(port: nil)
    let inherited = dup(socket.descriptors[0])
    defer { close(inherited) }
    _ = try #require(Browser(port: socket.port))
    socket.close()
    #expect(Browser(port: socket.port) == nil)
  }

  @Test func `a socket of localhost is reached by both families, and one of an address by that alone`() throws {
    let both = try ListeningSocket(host: "localhost", port: nil)
    #expect(Self.isReached(both.port, family: AF_INET) && Self.isReached(both.port, family: AF_INET6))
    both.close()
    #expect(!Self.isReached(both.port, family: AF_INET) && !Self.isReached(both.port, family: AF_INET6))
    let one = try ListeningSocket(port: nil)
    #expect(Self.isReached(one.port, family: AF_INET) && !Self.isReached(one.port, family: AF_INET6))
  }

  @Test func `a port of localhost that is taken in one family is taken`() throws {
    let holder = POSIXSocket.make(AF_INET6)
    defer { holder.map(POSIXSocket.end) }
    let port = try #require(holder.flatMap { POSIXSocket.serve($0, onLoopbackPort: 0, of: AF_INET6) })
    #expect(throws: AuthenticationError.redirectPortBusy) { try ListeningSocket(host: "localhost", port: port) }
    #expect(try ListeningSocket(host: "localhost", port: nil).port != port)
  }

  @Test func `a port for a registration is none that connections are given`() throws {
    let ports = try (1...20).map { _ in try LoopbackPort.free(nil) }
    #expect(ports.allSatisfy { (20_000..<32_768).contains($0) })
    #expect(Set(ports).count > 1)
  }

  @Test func `a port that another program listens on is not free, and many may ask at once`() async throws {
    let holder = try ListeningSocket(port: nil)
    #expect(throws: AuthenticationError.redirectPortBusy) { try LoopbackPort.free(holder.port) }
    holder.close()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try? LoopbackPort.free(holder.port) } }
    }
    #expect(try LoopbackPort.free(holder.port) == holder.port)
  }

  private static func isReached(_ port: UInt16, family: Int32) -> Bool {
    guard let descriptor = POSIXSocket.make(family) else { return false }
    defer { POSIXSocket.end(descriptor) }
    _ = fcntl(descriptor, F_SETFL, 0)
    var (four, six) = (sockaddr_in(), sockaddr_in6())
    (four.sin_family, six.sin6_family) = (sa_family_t(AF_INET), sa_family_t(AF_INET6))
    (four.sin_port, six.sin6_port) = (port.bigEndian, port.bigEndian)
    four.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    six.sin6_addr = in6addr_loopback
    func reaches<Address>(_ address: inout Address) -> Bool {
      let size = socklen_t(MemoryLayout<Address>.size)
      return unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, size) == 0 }
      }
    }
    return family == AF_INET ? reaches(&four) : reaches(&six)
  }
}
#endif
