import ArgumentParser
import AuthenticationKit
import AuthenticationOpenID
import AuthenticationTestingServers
import Dispatch
import Foundation

struct Demo: Command {
  static let configuration = CommandConfiguration(
    abstract: "Show the library in the browser: a sample product against servers on this machine.")

  @Option(help: "The port to listen on; by default one that is free.")
  var port: UInt16 = 0

  @Flag(help: "Open no browser.")
  var noBrowser = false

  @Flag(help: "Walk through what the library does, checking each step, and end.")
  var tour = false

  @OptionGroup var options: ProfileOptions

  var json: Bool { false }

  func perform(on console: Console) async throws {
    guard tour else { return try await serve(console) }
    let alarm = Task.detached {
      try await Task.sleep(for: .seconds(120))
      console.say("authctl: The tour did not come to its end within two minutes.")
      Foundation.exit(ExitStatus.unexpected.rawValue)
    }
    defer { alarm.cancel() }
    try await Self.walk(Tour(console: console, port: port), console)
  }

  static func walk(_ tour: Tour, _ console: Console) async throws {
    let failures = try await tour.walk()
    guard failures > 0 else { return }
    console.say("authctl: \(failures.counted("check")) of the tour did not hold; standard output marks them.")
    throw ExitStatus.unexpected.exitCode
  }

  private func serve(_ console: Console) async throws {
    let server = try await ShowcaseServer(port: port)
    let interruption = Interruption()
    console.out("The showcase is at \(server.address)")
    console.out(Self.introduction(await server.showcase.world.apiURL.absoluteString))
    if !noBrowser { await open(server.address, console) }
    for await _ in interruption.signals { break }
    interruption.end()
    await server.stop()
  }

  private func open(_ address: String, _ console: Console) async {
    guard let url = URL(string: address) else { return }
    do throws(AuthenticationError) {
      try await SystemBrowser.show(url)
    } catch {
      console.say("No browser could be opened. Open \(address) in one of this machine.")
    }
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

extension LoopbackIdentityServer {
  /// Starts, or says what to do about a port that is taken.
  func listen(on port: UInt16) async throws(AuthenticationError) -> URL {
    do {
      return try await start(port: port)
    } catch {
      throw .portTaken(port)
    }
  }
}

/// Hears from now on of a user or the system who asks the process to end, which it then no longer does by itself.
struct Interruption {
  private static let numbers = [SIGINT, SIGTERM]

  private let sources: [any DispatchSourceSignal]
  /// By their numbers.
  let signals: AsyncStream<Int32>

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    signals = stream
    sources = Self.numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield(number) }
      source.resume()
      return source
    }
  }

  /// From now on a signal ends the process again.
  func end() {
    for source in sources { source.cancel() }
    for number in Self.numbers { signal(number, SIG_DFL) }
  }
}
