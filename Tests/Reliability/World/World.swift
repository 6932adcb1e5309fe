package import AuthenticationTesting
package import AuthenticationTestingServers
import Foundation

/// A server that rotates tokens and detects reuse, the wire to it, and the common parts of the clients of one trial.
package struct World {
  package let server: LoopbackIdentityServer
  package let wire: Wire
  package var folder = TemporaryFolder()
  /// The time that has passed for all clients.
  package let time: PassedTime
  private let clocks = TemporaryFolder()

  package init(grace: Duration, accessTokenLifetime: Duration = .seconds(3_600)) async throws {
    // A command to a client that has ended is lost, and this process continues.
    _ = signal(SIGPIPE, SIG_IGN)
    server = LoopbackIdentityServer(
      options: .init(accessTokenLifetime: accessTokenLifetime, reuseGrace: grace))
    let url = try await server.start()
    time = try PassedTime(startingIn: clocks.url)
    wire = try Wire(to: UInt16(url.port ?? 0))
  }

  package func end() async {
    wire.refuse()
    await server.stop()
  }

  /// The same server, and an empty folder.
  package mutating func makeNewFolder() { folder = TemporaryFolder() }

  /// The arguments of each client.
  package var arguments: [String] { arguments(for: folder) }

  package func arguments(for folder: TemporaryFolder) -> [String] {
    ["--server", wire.url, "--folder", folder.url.path, "--time", time.file.path]
  }

  package func client(_ arguments: String...) throws -> ClientProcess { try client(arguments) }

  package func client(_ arguments: [String]) throws -> ClientProcess {
    try ClientProcess(self.arguments + arguments)
  }

  /// In a separate process.
  package func signIn(_ name: String) throws {
    let answer = try client().answer("sign-in \(name)")
    guard answer == "ok" else { throw SignInFailed(answer: answer) }
  }

  package struct SignInFailed: Error {
    let answer: String
  }
}
