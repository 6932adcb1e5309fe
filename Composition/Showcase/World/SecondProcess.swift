import ArgumentParser
import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationTesting
import Foundation
import AuthCTLCommands

extension Stage {
  /// Starts this program once more, over the same storage, and returns the result of its one call: a status, or an
  /// error's code.
  func callFromSecondProcess() async throws -> String {
    let process = ChildProcess()
    let output = Pipe()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    process.executableURL = Self.program
    process.arguments = [
      CallOnce.configuration.commandName ?? "", "--line", provider.line.id, "--address", provider.address,
      "--resource", provider.resource.absoluteString, "--folder", folder.path, "--ahead", "\(secondsAhead)",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { _ in end.finish() }
    try process.runAlone()
    for await _ in ends {}
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return said.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// `showcase` next to the program that runs, which may be the one that tests it; otherwise that program.
  private static var program: URL? {
    let running = Bundle.main.executableURL
    let beside = running?.deletingLastPathComponent().appending(path: "showcase")
    return beside.flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil } ?? running
  }
}

/// The second process of a stage: calls the API once with the session it finds, and prints the result.
struct CallOnce: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "call-once", shouldDisplay: false)

  @Option var line: String
  @Option var address: String
  @Option var resource: String
  @Option var folder: String
  @Option var ahead: Int

  func run() async throws {
    guard let line = ProductLine.all.first(where: { $0.id == line }), let resource = URL(string: resource) else {
      throw ExitStatus.usage.exitCode
    }
    let folder = URL(filePath: folder)
    let clock = TravelClock()
    clock.travel(.seconds(ahead))
    let root = try MainRoot(line.configuration(address, .init())) {
      $0.storage = .stage(RecordingStorage(.stage(in: folder)), in: folder)
      $0.clock = clock
      $0.refreshPolicy = .onDemand
    }
    print(await root.apiClient.outcome(of: HTTPRequest(.get, resource)))
  }
}
