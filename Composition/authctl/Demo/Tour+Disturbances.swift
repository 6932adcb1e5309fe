import AuthenticationKit
import AuthenticationTestingServers

/// What befalls a session that is in use.
extension Tour {
  func earlyExpiry() async throws {
    begin("A token that the provider ends early")
    _ = try launch()
    try await play(.expire)
    check("the call was answered 200", outcomes == ["200": 1])
    check("the server refused the old token once", server.counters.resourceCallsUnauthorized == 1)
    check("and saw exactly one refresh", server.counters.requests(on: .refresh) == 1)
  }

  func lostAnswer() async throws {
    begin("The answer to a refresh is lost")
    _ = try launch()
    try await play(.lose)
    check("the call was answered 200", outcomes == ["200": 1])
    check("the refresh was asked for twice", server.counters.requests(on: .refresh) == 2)
    check("the session lives on", server.counters.liveFamilies == 1)
  }

  func secondProcess() async throws {
    begin("A second process on the same session")
    _ = try launch()
    try await play(.process)
    check("its call was answered 200", secondOutcome == "200")
    check("this app's call was, too", outcomes == ["200": 1])
    check("the server saw exactly one refresh of both", server.counters.requests(on: .refresh) == 1)
  }

  func lockedStore() async throws {
    begin("The storage is locked when the app is launched")
    try await play(.lock)
    let root = try launch()
    let state = await root.manager.restore()
    check("the app does not claim that nobody is signed in", state == .unavailable(.storageUnavailable))
    try await play(.lock)
    check("grace is signed in", await root.manager.restore().user?.id == "grace")
    check("the server saw no request at all", totalRequests == 0)
  }

  func revokedElsewhere() async throws {
    begin("The session is ended on another device")
    let root = try launch()
    try await root.manager.login(username: "ada", password: "correct horse")
    try await play(.revoke)
    check("the call is told so", outcomes == ["session_rejected": 1])
    check("ada is signed out here", root.manager.state == .signedOut(.rejected))
  }
}
