package import ArgumentParser
import Foundation

/// Runs the command line: the `main` of `authctl`, and of another program with further kinds of providers.
package func runAuthCTL(adding kinds: [ProviderKind] = [], arguments: [String]? = nil) async {
  kinds.forEach(ProviderKind.register)
  await AuthCTL.runProgram(arguments)
}

/// Signs a user in from a terminal and hands valid access tokens to scripts.
struct AuthCTL: AsyncParsableCommand {
  // Every command names itself: deriving the names from their types takes a fifth of the time of `authctl token`.
  static let configuration = CommandConfiguration(
    commandName: "authctl",
    abstract: "Sign in from a terminal, stay signed in, and hand valid access tokens to scripts.",
    version: "authctl 0.1.0",
    subcommands: [
      Login.self, Status.self, Token.self, Request.self, Logout.self, Methods.self, Account.self, Doctor.self,
      Profiles.self, Report.self, Replay.self,
    ])
}

extension AsyncParsableCommand {
  /// Parses the command line, and runs the command that it names.
  ///
  /// - Parameter arguments: by default those of the process.
  package static func runProgram(_ arguments: [String]? = nil) async {
    let arguments = arguments ?? Array(CommandLine.arguments.dropFirst())
    _ = ProcessStart.date
    // The three streams every process is given, unless a shell closed one (`>&-`): the next file opened would get its
    // number, and the output. For reading only, so that a write is told to have failed.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", O_RDONLY)
    }
    // The transport writes no keys of connections, with any value; libcurl creates the file all the same.
    unsafe unsetenv("SSLKEYLOGFILE")
    do {
      var command = try await asyncParseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      end(with: error, arguments)
    }
  }
}
