import ArgumentParser
import Foundation

/// Runs the command line: the `main` of `authctl`, and of a program of one's own with further kinds of providers.
package func runAuthCTL(adding kinds: [ProviderKind] = []) async {
  kinds.forEach(ProviderKind.register)
  await AuthCTL.main()
}

/// Signs a user in from a terminal and hands valid access tokens to scripts.
struct AuthCTL: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "authctl",
    abstract: "Sign in from a terminal, stay signed in, and hand valid access tokens to scripts.",
    version: "authctl 0.1.0",
    subcommands: [
      Demo.self, Login.self, Status.self, Token.self, Request.self, Logout.self, Methods.self,
      Account.self, Doctor.self, CallOnce.self,
    ])

  static func main() async {
    _ = ProcessStart.date
    StandardStreams.occupy()
    // The transport writes no keys of connections, whatever this says; libcurl creates the file all the same.
    unsafe unsetenv("SSLKEYLOGFILE")
    do {
      var command = try await asyncParseAsRoot()
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      end(with: error)
    }
  }
}
