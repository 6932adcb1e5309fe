import AuthenticationTestingServers
import Foundation
import ReliabilityWorld

/// The findings of a fresh process where another one was killed.
struct Aftermath {
  enum Session: Equatable {
    /// Signed in, and the server answers.
    case kept
    case signedOut
    /// Neither signed in nor signed out as it should be, or signed in without an answer of the server.
    case lost(reason: String)
  }

  let session: Session
  let isCorrupt: Bool
  let scan: SecretScan

  /// - Parameter families: sign-ins that the server knew of before the work began.
  init(_ world: World, after work: Work, families: Int) throws {
    let client = try world.client("--backoff", "20")
    // So that the session must be refreshed to be good for anything.
    world.server.revokeAllAccessTokens()
    let found = try client.ask("state") ?? "died"
    isCorrupt = found.contains("corrupt")
    switch found.split(separator: " ").first {
    case "signed-in":
      let answer = try client.ask("call") ?? "died"
      session = answer == "200" ? .kept : .lost(reason: "\(answer), \(try client.ask("state") ?? "died")")
    case "signed-out" where work.mayEndSignedOut:
      session = try Self.isWhole(world, work, families, client) ? .signedOut : .lost(reason: "half signed out")
    default:
      session = .lost(reason: found)
    }
    // Afterwards no file of this client is just being written.
    _ = try client.ask("keep-events")
    scan = try SecretScan(world)
  }

  /// A sign-out that the disk knows of reaches the server, and then leaves no secret here.
  private static func isWhole(_ world: World, _ work: Work, _ families: Int, _ client: ClientProcess) throws -> Bool {
    guard work == .signOut else { return true }
    _ = try client.ask("deliver")
    return try world.server.counters.liveFamilies == families - 1 && SecretScan(world).secretsInSession == 0
  }
}
