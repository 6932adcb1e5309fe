import ArgumentParser
import AuthenticationKit
import Foundation
import AuthCTLCommands

/// Shows the library in a browser, or walks through its promises in a terminal.
@main
struct ShowcaseCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "showcase",
    abstract: "Show the library in the browser: a sample product against servers on this machine.",
    subcommands: [CallOnce.self])

  static let program = "showcase"

  @Option(help: "The port to listen on; by default one that is free.")
  var port: UInt16 = 0

  @Flag(help: "Open no browser.")
  var noBrowser = false

  @Flag(help: "Walk through what the library does, checking each step, and end.")
  var tour = false

  static func main() async { await runProgram() }

  func perform(on console: Console) async throws {
    guard tour else { return try await serve(console) }
    let alarm = Task.detached {
      try await Task.sleep(for: .seconds(120))
      console.say("\(Self.program): The tour did not come to its end within two minutes.")
      Foundation.exit(ExitStatus.unexpected.rawValue)
    }
    defer { alarm.cancel() }
    try await Self.walk(Tour(console: console, port: port), console)
  }

  static func walk(_ tour: Tour, _ console: Console) async throws {
    let failures = try await tour.walk()
    guard failures > 0 else { return }
    console.say("\(program): \(failures.counted("check")) of the tour did not hold; standard output marks them.")
    throw ExitStatus.unexpected.exitCode
  }

  private func serve(_ console: Console) async throws {
    let server = try await ShowcaseServer(port: port)
    let interruption = Interruption()
    console.out("The showcase is at \(server.address)")
    let introduction = Self.introduction(await server.showcase.world.apiURL.absoluteString)
    for line in introduction.split(separator: "\n", omittingEmptySubsequences: false) { console.out(String(line)) }
    if !noBrowser { await console.showPage(server.address) }
    for await _ in interruption.signals { break }
    interruption.end()
    await server.stop()
  }

  private static func introduction(_ url: String) -> String {
    """
    A sample product, its providers and its mailbox run on this machine. Stop with control-C.
    Its own identity server and a small protected API listen on \(url). Access tokens last two minutes.

    users:   ada / correct horse       (a returning user)
             grace / battery staple    (a new one)
             mary / proof of stake     (with a second factor, whose codes are in the page's mailbox)

    In another terminal:
      export AUTHCTL_HOME=$(mktemp -d)
      echo 'correct horse' | swift run authctl login --provider api --base-url \(url) --username ada --password-stdin
      swift run authctl status
      swift run authctl token --format header | curl -H @- \(url)/api/notes
      swift run authctl request \(url)/api/notes
      swift run authctl account sessions
      swift run authctl account verify --email ada@example.org
      swift run authctl account reset-password --username ada
      swift run authctl logout
    """
  }
}
