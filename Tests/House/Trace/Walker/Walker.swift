import AuthenticationKit
import Foundation
import Recorder
import Synchronization

/// Signs in, refreshes and signs out at a backend whose address is the first argument; the session is kept in the folder
/// of the second.
@main @MainActor struct Walker {
  static func main() async throws {
    guard CommandLine.arguments.count == 3, let baseURL = URL(string: CommandLine.arguments[1]) else { exit(64) }
    let clock = MovableClock()
    let root = try MainRoot(.api(baseURL: baseURL)) {
      $0.storage = .files(in: URL(filePath: CommandLine.arguments[2]))
      $0.clock = clock
    }
    try await signIn(root)
    clock.advance(by: .seconds(7_200))
    recorder_begin()
    let response = try await root.apiClient.send(HTTPRequest(.get, baseURL.appending(path: "notes")))
    recorder_end("refresh")
    guard response.status == 200 else { exit(1) }
    recorder_begin()
    try await root.manager.signOut()
    let failures = await root.manager.deliverRevocations()
    recorder_end("sign-out")
    exit(failures.isEmpty ? 0 : 1)
  }

  /// The model is not kept: it would follow the later walks.
  private static func signIn(_ root: MainRoot) async throws {
    let model = root.makeViewModel()
    await wait { if case .signedOut = model.state { true } else { false } }
    recorder_begin()
    model.userName = "ada"
    model.password = "correct horse"
    model.signIn()
    await wait { if case .signedIn(_, .some) = model.state { true } else { false } }
    recorder_end("password sign-in")
  }

  private static func wait(until isReached: () -> Bool) async { while !isReached() { await Task.yield() } }
}

/// The clocks of the machine, and a distance to them.
private final class MovableClock: AuthenticationClock {
  private let distance = Mutex(Duration.zero)
  private let system = SystemClock()

  func advance(by duration: Duration) { distance.withLock { $0 += duration } }
  var now: Date { system.now.addingTimeInterval(distance.withLock { $0 / .seconds(1) }) }
  var uptime: Duration { system.uptime + distance.withLock { $0 } }
  func sleep(for duration: Duration) async throws(CancellationError) { try await system.sleep(for: duration) }
}
