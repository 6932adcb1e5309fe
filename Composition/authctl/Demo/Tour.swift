import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation

/// Walks through the library's promises against a real server, and checks each of them.
///
/// Server and client share a clock that is moved forward where a token is to expire; everything else is as in an app:
/// HTTP over loopback, and a session in files.
@MainActor
final class Tour {
  nonisolated static let users: [LoopbackIdentityServer.Account] = [.ada, .grace, .mary]

  let console: Console
  let clock = TravelClock()
  let server: LoopbackIdentityServer
  let storage: RecordingStorage
  let folder: URL
  private let port: UInt16
  private(set) var baseURL = URL(filePath: "/")
  private(set) var step = 0
  private(set) var failures = 0
  private(set) var app: MainRoot?
  var isProviderDown = false
  var outcomes: [String: Int] = [:]
  var secondOutcome = ""

  init(console: Console, port: UInt16) {
    self.console = console
    self.port = port
    server = LoopbackIdentityServer(
      options: .init(accessTokenLifetime: .seconds(3_600), reuseGrace: .seconds(60), users: Self.users), clock: clock)
    folder = FileManager.default.temporaryDirectory.appending(path: "authctl-tour-\(UUID().uuidString)")
    storage = RecordingStorage(.stage(in: folder))
  }

  /// Returns how many checks did not hold.
  func walk() async throws -> Int {
    defer { try? FileManager.default.removeItem(at: folder) }
    baseURL = try await server.listen(on: port)
    console.out("A real server listens on \(baseURL.absoluteString); the session is kept in a folder of its own.")
    try await wrongPassword()
    try await signIn()
    try await restart()
    try await manyCallsAtExpiry()
    try await earlyExpiry()
    try await lostAnswer()
    try await secondProcess()
    try await lockedStore()
    try await providerDownAtLaunch()
    try await signOutDuringRefresh()
    try await offlineSignOut()
    try await revokedElsewhere()
    try await secondFactor()
    try await expiredCode()
    try await replacedAttempt()
    try await passkey()
    await server.stop()
    console.out(failures == 0 ? "\nEvery step held." : "\n\(failures) checks did NOT hold.")
    return failures
  }

  /// An app that has just been launched: everything new but the folder.
  func launch(
    _ contract: APIContract = .standard, _ change: (inout MainRoot.Options) -> Void = { _ in }
  ) throws -> MainRoot {
    // A thousand calls at once may take a busy machine longer than an app would wait.
    let patient = try SystemHTTPClient(deadline: .seconds(300))
    let root = try MainRoot(.api(baseURL: baseURL, contract: contract)) {
      $0.storage = .stage(storage, in: folder)
      $0.apiTransport = patient
      $0.clock = clock
      change(&$0)
    }
    app = root
    return root
  }

  func begin(_ title: String) {
    step += 1
    server.resetCounters()
    console.out("\n\(step). \(title)")
  }

  func tell(_ fact: String) { console.out("   \(fact)") }

  func check(_ fact: String, _ holds: Bool) {
    if !holds { failures += 1 }
    console.out("   \(holds ? "✓" : "✗ DOES NOT HOLD:") \(fact)")
  }

  func notes() -> HTTPRequest { HTTPRequest(.get, baseURL.appending(path: "api/notes")) }
}
