import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
@testable import AuthenticationFirebase
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// Signing in on another provider's page, over real HTTP.
@Suite(.timeLimit(.minutes(10))) struct LoopbackPageTests {
  static let staff = SignInMethod(id: "oidc.staff", displayName: "Staff")
  let browser = VendorBrowser()
  let storage = InMemoryStorage()

  func bench(_ options: (inout LoopbackFirebase.Options) -> Void = { _ in }) async throws -> LoopbackBench {
    try await LoopbackBench(options, storage: storage) { [browser] in
      $0.pages = FirebasePages(
        [.google, Self.staff], redirect: .address("com.example.app:/callback"), presenter: browser,
        scopes: ["calendar", "drive"])
    }
  }

  /// With the page of Firebase, or of its emulator.
  func emulator() async throws -> LoopbackBench {
    try await LoopbackBench({ $0.isEmulator = true }, storage: storage) { [browser] in
      $0.bundleID = "com.example.app"
      $0.pages = FirebasePages(
        [.google], handler: "demo-project.firebaseapp.com", clientID: "123-abc.apps.googleusercontent.com",
        presenter: browser, scopes: ["calendar", "drive"])
    }
  }

  func body(_ operation: String, of bench: LoopbackBench) throws -> [String: JSONValue] {
    let request = try #require(bench.loopback.traffic.requests(on: operation).last)
    return try JSONDecoder().decode([String: JSONValue].self, from: request.body)
  }

  @Test func `a provider's page signs in, and again the same user`() async throws {
    let bench = try await bench()
    #expect(bench.root.methods.suffix(2) == [.browser(.google), .browser(Self.staff)])
    let attempt = try bench.root.attempts.begin(.browser(.google))
    let hints = SignInHints(userName: "ada@example.com", prompt: ["select_account"])
    attempt.submit(SignInInput(hints: hints))
    #expect(await attempt.finished().isEnded)
    let user = try #require(bench.root.currentUser)
    #expect(user.isNew && user.email == "ada@example.com" && user.claims["sign_in_provider"] == "google.com")
    let begun = try body("createAuthUri", of: bench)
    #expect(begun["providerId"] == "google.com" && begun["continueUri"] == "com.example.app:/callback")
    #expect(begun["oauthScope"] == "calendar drive")
    #expect(begun["customParameter"] == ["login_hint": "ada@example.com", "prompt": "select_account"])
    let ended = try body("signInWithIdp", of: bench)
    #expect(ended["requestUri"]?.text?.hasPrefix("com.example.app:/callback?code=") == true)
    #expect(ended["postBody"] == "providerId=google.com" && ended["sessionId"]?.text?.isEmpty == false)
    let again = try await bench.root.useCase.signIn(with: .browser(.google))
    #expect(again.id == user.id && !again.isNew)
    bench.loopback.user = .approves(.grace)
    #expect(try await bench.root.useCase.signIn(with: .browser(Self.staff)).id != user.id)
  }

  @Test func `a provider's page links its account to the user who is signed in`() async throws {
    let bench = try await bench()
    let user = try await bench.root.useCase.signIn(with: .anonymous)
    #expect(try await bench.root.manager.account.perform(.link(.browser(.google))).isDone)
    #expect(bench.root.currentUser?.id == user.id)
    #expect(try await bench.root.manager.account.linkedMethods().map(\.method) == [.google])
  }

  @Test func `a provider's account of another user is not linked, and the session stays`() async throws {
    let bench = try await bench()
    try await bench.rootElsewhere().manager.signIn(with: .browser(.google))
    bench.loopback.addAccount(email: "grace@example.com", password: "battery staple")
    let user = try await bench.root.useCase.login(username: "grace@example.com", password: "battery staple")
    let error = await failure { try await bench.root.manager.account.perform(.link(.browser(.google))) }
    #expect(error == .alreadyLinked)
    #expect(bench.root.currentUser == user)
  }

  @Test(
    arguments: [
      (.declines, .declined), (.leaves, .cancelled), (.causes(error: "server_error"), .serverFailed),
      (.causes(error: "canary_error"), .unexpectedResponse),
    ] as [(LoopbackOpenIDIssuer.UserAction, AuthenticationError)])
  func `a page that ends with a failure keeps the session as it was`(
    action: LoopbackOpenIDIssuer.UserAction, expected: AuthenticationError
  ) async throws {
    let bench = try await bench()
    let user = try await bench.signedIn()
    bench.loopback.user = action
    #expect(await failure { try await bench.root.useCase.signIn(with: .browser(.google)) } == expected)
    #expect(bench.root.currentUser == user)
    #expect(bench.loopback.traffic.requests(on: "signInWithIdp").isEmpty)
  }

  @Test func `a redirect counts for the attempt that it belongs to, and for no other method`() async throws {
    let bench = try await bench()
    let user = try await bench.signedIn()
    browser.action = .waits
    let google = try bench.root.attempts.begin(.browser(.google))
    google.submit()
    browser.action = .returns(try await browser.redirect())
    let error = await failure { try await bench.root.useCase.signIn(with: .browser(Self.staff)) }
    #expect(error?.reason == .state)
    #expect(bench.root.currentUser == user)
    #expect(bench.loopback.traffic.requests(on: "signInWithIdp").isEmpty)
  }

  @Test func `a redirect to another address, or without its state, is refused`() async throws {
    let bench = try await bench()
    browser.action = .visits { URL(string: $0.absoluteString.replacing("/callback", with: "/other")) ?? $0 }
    #expect(await failure { try await bench.root.useCase.signIn(with: .browser(.google)) }?.reason == .redirect)
    browser.action = .visits { $0.setting("state", nil) }
    #expect(await failure { try await bench.root.useCase.signIn(with: .browser(.google)) }?.reason == .state)
    #expect(bench.root.currentUser == nil)
  }

  @Test func `a sign-in that was begun before a relaunch is finished once, by its redirect`() async throws {
    let bench = try await bench()
    browser.action = .waits
    let attempt = try bench.root.attempts.begin(.browser(.google))
    attempt.submit()
    let url = try await browser.redirect()
    let after = try bench.relaunched()
    let user = try await after.useCase.signIn(with: BrowserReturn(url: url))
    #expect(after.currentUser == user && user.email == "ada@example.com")
    #expect(await failure { try await after.useCase.signIn(with: BrowserReturn(url: url)) }?.reason == .state)
    browser.action = .visits { $0 }
    await attempt.finished()
  }

  @Test func `a link that was begun before a relaunch is finished as a link`() async throws {
    let bench = try await bench()
    let user = try await bench.root.useCase.signIn(with: .anonymous)
    browser.action = .waits
    let link = Task { try await bench.root.manager.account.perform(.link(.browser(.google))) }
    let url = try await browser.redirect()
    let after = try bench.relaunched()
    #expect(try await after.manager.account.perform(.link(BrowserReturn(url: url))).isDone)
    #expect(after.currentUser?.id == user.id && after.currentUser?.email == "ada@example.com")
    browser.action = .visits { $0 }
    _ = await link.result
  }

  @Test func `a sign-in ends the sign-in that another process began on a page`() async throws {
    let bench = try await bench()
    bench.addAda()
    browser.action = .waits
    let attempt = try bench.root.attempts.begin(.browser(Self.staff))
    attempt.submit()
    let url = try await browser.redirect()
    let other = try bench.relaunched()
    let user = try await other.useCase.login(username: "ada@example.com", password: "correct horse")
    #expect(await failure { try await other.useCase.signIn(with: BrowserReturn(url: url)) }?.reason == .state)
    #expect(other.currentUser == user)
    browser.action = .visits { $0 }
    await attempt.finished()
  }

  @Test func `the redirect of a link is no sign-in`() async throws {
    let bench = try await bench()
    try await bench.root.useCase.signIn(with: .anonymous)
    browser.action = .waits
    let link = Task { try await bench.root.manager.account.perform(.link(.browser(.google))) }
    let url = try await browser.redirect()
    let after = try bench.relaunched()
    let session = try await after.manager.validSession()
    #expect(await failure { try await after.useCase.signIn(with: BrowserReturn(url: url)) }?.reason == .state)
    #expect(try await after.manager.validSession() == session)
    #expect(bench.loopback.traffic.requests(on: "signInWithIdp").isEmpty)
    browser.action = .visits { $0 }
    _ = await link.result
  }

  @Test(arguments: [
    #"{"authUri":"https://accounts.example.com/?a=b","sessionId":"canary"}"#,
    #"{"authUri":"http://accounts.example.com/?state=canary","sessionId":"canary"}"#,
  ]) func `a page that its response cannot be bound to is not shown`(body: String) async throws {
    let bench = try await bench()
    bench.loopback.traffic.set(.body(body), on: "createAuthUri")
    let error = await failure { try await bench.root.useCase.signIn(with: .browser(.google)) }
    #expect(error?.reason == .state)
    #expect("\(error, default: "-")".contains("canary") == false)
    #expect(browser.pages.isEmpty)
  }

  @Test(arguments: ["{}", #"{"authUri":"https://accounts.example.com/?state=canary"}"#, #"{"authUri":7}"#])
  func `a response that names no page or no session is refused`(body: String) async throws {
    let bench = try await bench()
    bench.loopback.traffic.set(.body(body), on: "createAuthUri")
    let error = await failure { try await bench.root.useCase.signIn(with: .browser(.google)) }
    #expect(error == .unexpectedResponse)
    #expect(browser.pages.isEmpty)
  }

  @Test func `an emulator begins no sign-in by createAuthUri, and the error suggests the handler`() async throws {
    let bench = try await bench { $0.isEmulator = true }
    let error = await failure { try await bench.root.useCase.signIn(with: .browser(.google)) }
    #expect(error == .unsupportedMethod)
    #expect(error?.suggestion?.contains("handler") == true)
  }

  @Test func `the emulator's page signs in, with claims in place of a token`() async throws {
    let bench = try await emulator()
    let user = try await bench.root.useCase.signIn(with: .browser(.google))
    #expect(user.email == "ada@example.com")
    #expect(browser.pages.last?.path() == "/emulator/auth/handler")
    #expect(browser.parameter("scopes") == "calendar,drive" && browser.parameter("ibi") == "com.example.app")
    let ended = try body("signInWithIdp", of: bench)
    #expect(ended["requestUri"]?.text?.hasPrefix("http://localhost?id_token=") == true)
    #expect(ended["sessionId"]?.text.map { PublicSHA256.hexadecimal($0.utf8) } == browser.parameter("sessionId"))
  }

  @Test func `Firebase's page is bound to the attempt by its event`() async throws {
    let bench = try await emulator()
    browser.action = .waits
    let first = try bench.root.attempts.begin(.browser(.google))
    first.submit()
    browser.action = .returns(try await browser.redirect())
    #expect(await failure { try await bench.root.useCase.signIn(with: .browser(.google)) }?.reason == .state)
    bench.loopback.user = .declines
    browser.action = .visits { $0 }
    let error = await failure { try await bench.root.useCase.signIn(with: .browser(.google)) }
    #expect(error == .declined)
    #expect("\(error, default: "-")".contains("canary") == false)
    #expect(bench.root.currentUser == nil)
  }

  @Test func `pages that cannot work are refused when the app is composed`() {
    let (browser, address) = (browser, RedirectURI.address("com.example.app:/callback"))
    let saml = SignInMethod(id: "saml.staff", displayName: "Staff")
    for (key, pages) in [
      ("pages", FirebasePages([saml], redirect: address, presenter: browser)),
      ("redirect", FirebasePages([.google], redirect: .localhost(), presenter: browser)),
      ("pages", FirebasePages([.apple], handler: "a.firebaseapp.com", clientID: "1.example.com", presenter: browser)),
      ("bundleID", FirebasePages([.google], handler: "a.web.app", clientID: "1.example.com", presenter: browser)),
    ] {
      let error = #expect(throws: AuthenticationError.self) {
        try MainRoot(.firebase(FirebaseProject(apiKey: "key", pages: pages))) { $0.storage = .inMemory }
      }
      #expect(error == .invalidConfiguration)
      #expect(error?.message.contains("'\(key)'") == true, "\(key)")
    }
  }
}
