import AuthenticationKit
import AuthenticationOpenID
import AuthenticationTestingServers
import Foundation
import Testing

@testable import showcase

@MainActor @Suite(.timeLimit(.minutes(10))) struct ShowcaseWorldTests {
  private func opened() async throws -> ShowcaseWorld {
    let origin = "http://localhost:1"
    return try await ShowcaseWorld(
      origin: origin, authenticator: SoftwareAuthenticator(origin: origin), presenter: ClosedBrowser())
  }

  private func signedIn() async throws -> ShowcaseWorld {
    let world = try await opened()
    world.recorder.begin("sign in")
    try await world.root.useCase.login(username: "ada", password: "correct horse")
    return world
  }

  @Test func `a sign-in passes every station`() async throws {
    let world = try await opened()
    let changes = world.recorder.changes()
    world.recorder.begin("sign in")
    try await world.root.useCase.login(username: "ada", password: "correct horse")
    for await _ in changes where world.snapshot.trail.entries.contains(where: { $0.title == "signed in" }) { break }
    let stations = world.snapshot.trail.entries.map(\.station)
    #expect(Set(stations) == Set(Backstage.Station.allCases))
    #expect(stations.first == .intent)
    #expect(world.snapshot.requests.entries.map(\.path) == ["/auth", "/user"])
    await world.stop()
  }

  @Test func `a snapshot holds no token and no password`() async throws {
    let world = try await signedIn()
    await world.perform("expire")
    let text = String(reflecting: world.snapshot)
    let tokens = try #require(world.root.manager.state.session?.tokens)
    for secret in [tokens.access.value.reveal(), try #require(tokens.refresh).reveal(), "correct horse"] {
      #expect(!text.contains(secret))
    }
    #expect(world.snapshot.session?.accessToken.count == 9)
    await world.stop()
  }

  @Test(arguments: [
    ("expire", "200", 1), ("calls", "200", 1), ("lose", "200", 2), ("process", "200", 1),
  ])
  func `an event costs a session no more than its refreshes`(step: String, outcome: String, refreshes: Int)
    async throws
  {
    let world = try await signedIn()
    await world.perform(step)
    let backstage = world.snapshot
    #expect(backstage.trail.entries.last { $0.title.contains("answered") }?.detail == outcome)
    let seen = backstage.requests.entries.filter { $0.path == "/auth/refresh" }.reduce(0) { $0 + $1.count }
    #expect(seen == refreshes)
    #expect(world.root.currentUser?.id == "ada")
    await world.stop()
  }

  @Test func `a provider that is down ends nothing, and receives nothing`() async throws {
    let world = try await signedIn()
    await world.perform("down")
    #expect(world.snapshot.switches == ["down": true, "lock": false])
    let before = world.snapshot.requests
    await world.perform("jump")
    await world.call()
    #expect(world.snapshot.requests == before)
    #expect(world.root.currentUser?.id == "ada")
    await world.perform("down")
    await world.call()
    #expect(world.snapshot.trail.entries.last { $0.title == "a call was answered" }?.detail == "200")
    await world.stop()
  }

  @Test func `an app that is launched with a locked store does not know the signed-in user, until it is unlocked`()
    async throws
  {
    let world = try await signedIn()
    await world.perform("lock")
    await world.perform("restart")
    #expect(await world.root.manager.restore() == .unavailable(.storageUnavailable))
    await world.perform("lock")
    #expect(await world.root.manager.restore().user?.id == "ada")
    await world.stop()
  }

  @Test func `a session that was ended elsewhere is over at the next call`() async throws {
    let world = try await signedIn()
    await world.perform("revoke")
    #expect(world.root.manager.state == .signedOut(.rejected))
    #expect(world.snapshot.session == nil)
    await world.stop()
  }

  @Test func `a mail's link leads into the app, and a message without one nowhere`() async throws {
    let world = try await opened()
    await world.choose("supabase")
    let attempt = try world.root.attempts.begin(.emailLink)
    attempt.submit(SignInInput([.emailAddress: "ada@example.com"]))
    await attempt.finished()
    let message = try #require(world.snapshot.mailbox.last)
    #expect(message.link != nil && message.address == "ada@example.com")
    #expect(world.follow(message.number)?.reveal().hasPrefix("https://app.example.com/sign-in") == true)
    #expect(world.follow(message.number + 1) == nil)
    await world.stop()
  }

  @Test func `an event that happens several times in a row is one entry`() {
    var entries = Repeated<String>()
    for element in ["a", "b", "a", "b", "b", "c"] { entries.append(element) }
    #expect(entries.entries.map(\.element) == ["a", "b", "c"])
    #expect(entries.entries.map(\.count) == [2, 3, 1])
  }
}

/// The user closes the issuer's page at once.
private struct ClosedBrowser: AuthorizationPresenter {
  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    throw .cancelled
  }
}
