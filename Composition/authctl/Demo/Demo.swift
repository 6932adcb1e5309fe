import ArgumentParser
import AuthenticationKit

struct Demo: Command {
  static let configuration = CommandConfiguration(
    abstract: "Start an identity server on this machine and try the library against it.")

  @Option(help: "The port to listen on; by default one that is free.")
  var port: UInt16 = 0

  @Flag(help: "Open no browser.")
  var noBrowser = false

  @Flag(help: "Walk through what the library does, checking each step, and end.")
  var tour = false

  @OptionGroup var options: ProfileOptions

  var json: Bool { false }

  func perform(on console: Console) async throws {
  }
}
