#if os(macOS) || os(Linux)
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
    let inherited = dup(socket.descriptor)
    defer { close(inherited) }
    _ = try #require(Browser(port: socket.port))
    socket.close()
    #expect(Browser(port: socket.port) == nil)
  }
}
#endif
