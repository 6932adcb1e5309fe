import AuthenticationAccount
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// "Continue as Ada", and the issuer's later claims about her, over real HTTP.
@Suite(.timeLimit(.minutes(10))) struct KnownUserTests {
  func parameters(of page: URL) -> [String: String] {
    let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }

  @Test func `a user whom the issuer remembers goes on without a page`() async throws {
    let bench = try await ProviderBench()
    let root = try bench.root()
    try await root.useCase.signIn(with: .browser)
    let session = try #require(root.manager.state.session)
    let known = KnownUser(session)
    #expect(known.user.name == "Ada Lovelace")

    let attempt = try root.attempts.begin(.browser)
    attempt.submit(SignInInput(hints: SignInHints(returning: known)))
    #expect(await attempt.finished() == .ended(.signedIn(session.user)))
    #expect(bench.browser.pages.count == 2)
    let asked = parameters(of: try #require(bench.browser.pages.last))
    #expect(asked["prompt"] == "none")
    #expect(asked["id_token_hint"] == session.tokens.identity?.reveal())
    #expect(asked["login_hint"] == "ada@example.com")
  }

  @Test func `a user whom the issuer has forgotten signs in on its page, where anybody may`() async throws {
    let bench = try await ProviderBench()
    bench.loopback.user = .approves(.grace)
    // Her ID token would make the page refuse anybody else.
    let ada = KnownUser(try await ProviderBench().signedIn())
    #expect(ada.identityToken != nil)
    let session = try await bench.signedIn(BrowserSignIn(SignInHints(returning: ada)))
    #expect(session.user.name == "Grace Hopper")
    let asked = bench.browser.pages.map(parameters)
    #expect(asked.map { $0["prompt"] } == ["none", "consent"])
    #expect(asked[1]["login_hint"] == "ada@example.com" && asked[1]["id_token_hint"] == nil)
  }

  @Test func `no other user goes on in a user's place`() async throws {
    let bench = try await ProviderBench()
    let ada = try await bench.signedIn()
    bench.loopback.user = .approves(.grace)
    _ = try await bench.signedIn()
    let ended = bench.loopback.counters.sessionsEnded
    let error = await failure { try await bench.signedIn(BrowserSignIn(SignInHints(returning: KnownUser(ada)))) }
    #expect(error?.reason == .subject)
    #expect(bench.loopback.counters.sessionsEnded == ended, "Grace's own session at the issuer goes on")
  }

  @Test func `a user who declines is not asked again on the page`() async throws {
    let bench = try await ProviderBench()
    bench.loopback.user = .declines
    let error = await failure { try await bench.signedIn(BrowserSignIn(SignInHints(returning: KnownUser(user: .ada)))) }
    #expect(error == .declined)
    #expect(bench.browser.pages.count == 1)
  }

  @Test func `a page that is wanted in any case is shown at once`() async throws {
    let bench = try await ProviderBench()
    _ = try await bench.signedIn(BrowserSignIn(SignInHints(prompt: ["login"], returning: KnownUser(user: .ada))))
    #expect(bench.browser.pages.map { parameters(of: $0)["prompt"] } == ["login"])
  }

  @Test func `the issuer's current claims about the user are shown, and nothing can be changed`() async throws {
    let bench = try await ProviderBench()
    let root = try bench.root()
    try await root.useCase.signIn(with: .browser)
    #expect(root.manager.account.abilities == [.profile])
    bench.loopback.quirks.userInfo = ["name": "Countess of Lovelace", "email_verified": true, "picture": "ada.png"]
    let user = try await root.manager.account.refreshUser()
    #expect(user.name == "Countess of Lovelace" && user.isEmailVerified == true && user.picture == "ada.png")
    #expect(root.currentUser == user)
    await #expect(throws: AuthenticationError(.unsupportedMethod, "")) {
      try await root.manager.account.update(ProfileChanges(name: "Ada"))
    }
    bench.loopback.quirks.userInfo = ["sub": "248289761002"]
    #expect(await failure { try await root.manager.account.refreshUser() }?.reason == .subject)
    #expect(root.currentUser == user)
  }

  @Test func `a profile that is refused for its token is asked for once more with a new one`() async throws {
    let bench = try await ProviderBench()
    let root = try bench.root()
    try await root.useCase.signIn(with: .browser)
    let before = bench.loopback.requests(on: .userInfo).count
    bench.loopback.set(.error("invalid_token", status: 401), on: .userInfo)
    #expect(await failure { try await root.manager.account.refreshUser() } == .accessTokenRefused)
    #expect(bench.loopback.requests(on: .userInfo).count == before + 2)
    #expect(bench.loopback.counters.refreshesGranted == 1)
  }
}
