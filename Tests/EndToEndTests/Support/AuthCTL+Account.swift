import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation

extension AuthCTL {
  /// A subcommand of `account`, as a script runs it.
  func account(_ arguments: String..., input: [String] = []) async throws -> Outcome {
    try await run(["account"] + arguments + ["--json"], input: input.map { $0 + "\n" }.joined())
  }

  /// The same where no user has signed in yet.
  func account(_ arguments: String..., at url: URL, input: [String] = []) async throws -> Outcome {
    try await run(
      ["account"] + arguments + ["--provider", "api", "--base-url", url.absoluteString, "--json"],
      input: input.map { $0 + "\n" }.joined())
  }

  /// Runs a command, and gives an answer to each line of stdout for which there is one.
  ///
  /// - Parameter first: its input from the beginning.
  func run(
    _ arguments: [String], typing first: String = "", answering answer: (String) async throws -> String?
  ) async throws -> Outcome {
    let files = TemporaryFolder()
    let process = process(arguments)
    let errors = files.url.appending(path: "err")
    try Data().write(to: errors)
    process.standardError = try FileHandle(forUpdating: errors)
    let input = Pipe()
    try input.fileHandleForWriting.write(contentsOf: Data(first.utf8))
    let command = try RunningCommand(process, input: input)
    var out = ""
    for await line in command.lines {
      out += line + "\n"
      if let answer = try await answer(line) {
        try input.fileHandleForWriting.write(contentsOf: Data((answer + "\n").utf8))
      }
    }
    return Outcome(
      status: await command.status(), out: out,
      err: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}

extension AuthCTL.Outcome {
  /// The codes of the failures that were told.
  var failures: [String] { (try? events().filter { $0["event"] == "error" }.compactMap { $0["code"] }) ?? [] }
}
