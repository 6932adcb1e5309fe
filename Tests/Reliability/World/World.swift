import AuthenticationTesting
import Foundation

/// A server that rotates tokens and detects reuse, the wire to it, and what the clients of one trial share.
struct World {
  let server: LoopbackIdentityServer
  let wire: Wire
  var folder = TemporaryFolder()

  init(grace: Duration, accessTokenLifetime: Duration = .seconds(3_600)) async throws {
    // What is said to a client that has died is lost, and this process lives on.
    _ = signal(SIGPIPE, SIG_IGN)
    server = LoopbackIdentityServer(
      options: .init(accessTokenLifetime: accessTokenLifetime, reuseGrace: grace))
    let url = try await server.start()
    wire = try Wire(to: UInt16(url.port ?? 0))
  }

  func end() async {
    wire.refuse()
    await server.stop()
  }

  /// The same server, and an empty folder.
  mutating func renewFolder() { folder = TemporaryFolder() }

  func client(_ arguments: String...) throws -> ClientProcess { try client(arguments) }

  func client(_ arguments: [String]) throws -> ClientProcess {
    try ClientProcess(["--server", wire.url, "--folder", folder.url.path] + arguments)
  }
}
