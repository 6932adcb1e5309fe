import AuthenticationKit
import AuthenticationDomainTesting
import AuthenticationTestingServers
import Foundation

extension Tour {
  func wrongPassword() async throws {
    begin("A wrong password")
    let model = try launch().makeViewModel()
    model.userName = "ada"
    model.password = "a wrong one"
    model.signIn()
    await model.finished()
    tell("The person is told: \(model.failureSentence ?? "nothing")")
    check("the failure is 'invalid_credentials'", model.failure?.code == .invalidCredentials)
    check("the server saw 1 attempt", server.counters.requests(on: .signIn) == 1)
    check("the password was cleared from the form", model.password.isEmpty)
    check("nobody is signed in", model.user == nil)

    model.password = "  "
    model.userName = ""
    model.signIn()
    await model.finished()
    tell("And without a user name: \(model.failureSentence ?? "nothing")")
    check("the server saw no further request", server.counters.requests(on: .signIn) == 1)
  }

  func signIn() async throws {
    begin("Signing in")
    let root = try launch()
    let model = root.makeViewModel()
    model.userName = "grace"
    model.password = "battery staple"
    model.signIn()
    await model.finished()
    tell("The person is told: \(model.message ?? "nothing")")
    check("a new user is welcomed as one", model.message == "Welcome, new user!")
    let response = try await root.apiClient.send(notes())
    check("an API call is answered \(response.status)", response.status == 200)
    check("the server counted 1 sign-in and no refresh", counted(signIns: 1, refreshes: 0))
  }

  func restart() async throws {
    begin("An app that is killed")
    try await play(.restart)
    let state = await app?.manager.restore()
    check("\(state?.user?.name ?? "nobody") is still signed in", state?.user?.id == "grace")
    check("the server saw no request at all", totalRequests == 0)
  }

  func manyCallsAtExpiry() async throws {
    begin("1,000 API calls at once, just when the token has expired")
    _ = try launch()
    try await play(.calls)
    let counters = server.counters
    tell("The server counted \(counters.refreshesGranted) refresh and \(counters.resourceCallsAnswered) API calls.")
    let others = outcomes.filter { $0.key != "200" }
    check(
      "all 1,000 calls were answered 200" + others.map { ", \($0.value) \($0.key)" }.joined(),
      others.isEmpty && counters.resourceCallsAnswered == 1_000)
    check("the server saw exactly one refresh", counters.requests(on: .refresh) == 1)
    check("no call carried a stale token", counters.resourceCallsUnauthorized == 0)
    check("no refresh token was used twice", counters.reusesDetected == 0)
  }

  func providerDownAtLaunch() async throws {
    begin("The provider is down when the app is launched")
    try await play(.jump)
    try await play(.down)
    let root = try launch()
    let state = await root.manager.restore()
    check("\(state.user?.name ?? "nobody") is still signed in", state.user?.id == "grace")
    let failure = await failure { try await root.manager.validSession() }
    check("a call is told '\(failure?.code.description ?? "nothing")'", failure?.code == .unreachable)
    check("the session is marked stale", root.manager.state.activeSession?.freshness == .stale)

    try await play(.down)
    check("the next call is answered", try await root.apiClient.send(notes()).status == 200)
    check("the session is fresh again", root.manager.state.activeSession?.freshness == .fresh)
  }

  func signOutDuringRefresh() async throws {
    begin("Signing out while a refresh is in flight")
    let root = try launch()
    clock.travel(.seconds(3_600))
    server.hold(.refresh)
    let call = Task { try await root.manager.validSession() }
    await server.waitForRequest(on: .refresh)
    tell("The server has renewed the tokens and holds its answer back.")
    try await root.manager.signOut()
    server.release(.refresh)
    let failure = await failure { try await call.value }
    check("the caller is told '\(failure?.code.description ?? "nothing")'", failure?.code == .notSignedIn)
    await server.waitForRequest(on: .signOut, count: 2)
    await root.manager.deliverRevocations()
    check("the late tokens were revoked too: none is alive", server.counters.tokensAlive == 0)
    check("nobody is signed in", root.currentUser == nil)
    check("nothing comes back after a restart", await (try launch()).manager.restore() == .signedOut(.requested))
  }

  func offlineSignOut() async throws {
    begin("Signing out offline")
    let root = try launch()
    try await root.manager.login(username: "ada", password: "correct horse")
    check("ada is signed in, with \(server.counters.tokensAlive) live tokens", server.counters.liveFamilies == 1)
    try await play(.down)
    try await root.manager.signOut()
    check("nobody is signed in", root.currentUser == nil)
    await root.manager.deliverRevocations()
    check("the revocation waits", await root.manager.hasPendingRevocations)

    try await play(.down)
    tell("The app is opened anew.")
    let reopened = try launch()
    check("still nobody is signed in", await reopened.manager.restore() == .signedOut(.requested))
    await reopened.manager.deliverRevocations()
    check("the server got the revocation: no token is alive", server.counters.tokensAlive == 0)
    check("no token is left on disk", try leftovers().isEmpty)
  }

  private func counted(signIns: Int, refreshes: Int) -> Bool {
    let counters = server.counters
    return counters.signIns == signIns && counters.requests(on: .refresh) == refreshes
  }

  var totalRequests: Int {
    let counters = server.counters
    return LoopbackIdentityServer.Endpoint.allCases.reduce(0) { $0 + counters.requests(on: $1) }
  }

  private func failure(_ call: () async throws -> some Sendable) async -> AuthenticationError? {
    do {
      _ = try await call()
      return nil
    } catch {
      return error as? AuthenticationError
    }
  }

  /// Files that hold a token. What is left of a session are the names of sign-ins that ended.
  private func leftovers() throws -> [String] {
    let secrets = FileStorage.stage(in: folder).folder
    return try FileManager.default.contentsOfDirectory(atPath: secrets.path).filter {
      String(decoding: try Data(contentsOf: secrets.appending(path: $0)), as: UTF8.self).contains("access ")
    }
  }
}
