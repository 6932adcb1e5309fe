import AuthenticationTestingServers
import ReliabilityWorld

/// The work of a client when it is killed.
enum Work: String, CaseIterable {
  case signIn = "sign in"
  case replace = "sign in over a session"
  case refresh
  case refreshAgain = "refresh after a crash"
  case signOut = "sign out"

  var command: String {
    switch self {
    case .signIn: "sign-in ada"
    case .replace: "sign-in grace"
    case .refresh, .refreshAgain: "refresh"
    case .signOut: "sign-out"
    }
  }

  /// Whether ada is signed in before.
  var needsSession: Bool { self != .signIn }

  /// Whether no user may be signed in after a process died of it.
  var mayEndSignedOut: Bool { self == .signIn || self == .signOut }

  /// The result of a caller that lives to see the end; without a grace the server ends a session whose answer was lost.
  var endings: Set<String> { self == .refreshAgain ? ["ok", "ambiguous_loss"] : ["ok"] }

  /// Prepares the folder before the work begins.
  func prepare(_ world: World) async throws {
    guard needsSession else { return }
    try world.signIn("ada")
    guard self == .refreshAgain else { return }
    world.server.resetCounters()
    world.server.hold(.refresh)
    let first = try world.client()
    first.tell("refresh")
    await world.server.waitForRequest(on: .refresh)
    first.kill()
    world.server.release(.refresh)
  }
}
