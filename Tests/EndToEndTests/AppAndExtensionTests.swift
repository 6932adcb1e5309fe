import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

#if os(macOS) || os(Linux)
/// An app and its extension: two processes that have nothing but the storage in common, as in an App Group.
@Suite(.timeLimit(.minutes(10))) struct AppAndExtensionTests {
  let home = TemporaryFolder()
  let server = LoopbackIdentityServer()

  /// As `StorageLocation.shared(appGroup:accessGroup:)` has it: secrets in one place, locks and signals in another.
  static func storage(in home: String) -> StorageLocation {
    let folder = URL(filePath: home)
    return .secure(FileStorage(folder: folder.appending(path: "vault")), locksIn: folder.appending(path: "group"))
  }

  static func root(_ address: String, in home: String, _ policy: RefreshPolicy) throws -> MainRoot {
    try MainRoot(.api(baseURL: address)) {
      $0.storage = storage(in: home)
      $0.refreshPolicy = policy
    }
  }

  @Test func `the extension refreshes and the app follows; a sign-out in the app ends the extension's session`()
    async throws
  {
    let (address, home) = (try await server.start().absoluteString, home.url.path)
    let app = try Self.root(address, in: home, .standard)
    try await app.useCase.login(username: "ada", password: "correct horse")
    let first = try await app.manager.validSession().accessToken
    let states = app.manager.states()
    async let following: Void = {
      // The session that the extension has refreshed is the app's, too; then the user signs out in the app.
      for await state in states {
        if let token = state.session?.accessToken, token != first { break }
      }
      try await app.manager.signOut()
    }()
    await #expect(processExitsWith: .success) { [address = address as String, home = home as String] in
      let root = try AppAndExtensionTests.root(address, in: home, .onDemand)
      guard await root.manager.restore().user?.id == "ada" else { exit(2) }
      let states = root.manager.states()
      // An API has refused the access token.
      let token = try await root.manager.validSession().accessToken
      guard try await root.manager.validSession(rejecting: token).accessToken != token else { exit(3) }
      for await state in states {
        if case .signedOut(let reason) = state { exit(reason == .elsewhere ? EXIT_SUCCESS : 4) }
      }
      exit(5)
    }
    try await following
    #expect(server.counters.refreshesGranted == 1)
    #expect(app.manager.state == .signedOut(.requested))
    await app.manager.deliverRevocations()
    #expect(server.counters.tokensAlive == 0)
  }
}
#endif
