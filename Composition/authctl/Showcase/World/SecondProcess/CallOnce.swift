import ArgumentParser
import AuthenticationDomainTesting
import AuthenticationKit
import Foundation

/// The second process of a stage: calls the API once with the session it finds, and prints what came of it.
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
    let root = try MainRoot(line.configuration(at: address)) {
      $0.storage = .stage(RecordingStorage(.stage(in: folder)), in: folder)
      $0.clock = clock
      $0.renewal = .onDemand
    }
    print(await root.apiClient.outcome(of: HTTPRequest(.get, resource)))
  }
}
