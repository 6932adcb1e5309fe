import AuthenticationAccount
import AuthenticationDomain
import AuthenticationKit
import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// Sign-ins on a page of the service, in a browser.
@Suite(.timeLimit(.minutes(10))) struct PageTests {
  func bench(_ options: (inout LoopbackSupabase.Options) -> Void = { _ in }) async throws -> SupabaseBench {
    try await SupabaseBench(options) {
      $0.methods = [.browser(.google), .password, .browser(.apple), .singleSignOn(), .singleSignOn("company-2")]
    }
  }

  func query(_ page: URL?) -> [String: String] {
    let items = page.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
  }

  @Test func `each provider has a button of its own`() async throws {
    let bench = try await bench()
    #expect(
      bench.root.methods.map(\.displayName) == [
        "Sign in with Google", "User name and password", "Sign in with Apple", "Single sign-on", "Single sign-on",
      ])
    let project = SupabaseProject(url: "https://a.example", anonKey: "k", methods: [.browser(.google)])
    #expect(try MainRoot(.supabase(project)).methods.isEmpty)
  }

  @Test func `a user signs in on the page of a provider`() async throws {
    let bench = try await bench()
    let attempt = try bench.root.attempts.begin(.browser(.google))
    attempt.submit(
      SignInInput(attributes: ["scopes": Secret("a b")], hints: SignInHints(userName: "a+b@c.d", prompt: ["consent"])))
    #expect(await attempt.finished().isEnded)
    #expect(bench.root.currentUser?.email == "ada@google")
    let asked = query(bench.browser.page)
    #expect(asked["provider"] == "google" && asked["scopes"] == "a+b" && asked["prompt"] == "consent")
    #expect(bench.browser.page?.query()?.contains("login_hint=a%2Bb%40c.d") == true)
    #expect(asked["code_challenge_method"] == "s256" && asked["code_challenge"]?.count == 43)
    #expect(asked["redirect_to"]?.hasPrefix("com.example.app:/callback?state=") == true)
    #expect(Set(try bench.body("token pkce").keys) == ["auth_code", "code_verifier"])
    #expect(bench.requests("authorize").first?.header("apikey") == nil)
  }

  @Test(arguments: [
    (SignInHints(requirements: AuthenticationRequirements(acrValues: ["aal2"])), AuthenticationError.unsupportedMethod),
    (SignInHints(requirements: .init(maxAge: .seconds(60))), .unsupportedMethod),
    (SignInHints(organization: "org_1"), AuthenticationError(.invalidRequest, "")),
  ])
  func `a hint that a page does not support is refused, and nothing is sent`(
    hints: SignInHints, error: AuthenticationError
  ) async throws {
    let bench = try await bench()
    for method in [SignInMethod.browser(.google), .singleSignOn("company-2")] {
      let attempt = try bench.root.attempts.begin(method)
      attempt.submit(SignInInput(hints: hints))
      #expect(await attempt.finished().failure == error)
    }
    #expect(bench.browser.page == nil && bench.requests("authorize").isEmpty && bench.requests("sso").isEmpty)
  }

  @Test func `no two pages have the same state or verifier`() async throws {
    let bench = try await bench()
    _ = try await bench.begin(.browser(.google))
    let first = query(bench.browser.page)
    _ = try await bench.begin(.browser(.apple))
    let second = query(bench.browser.page)
    #expect(first["redirect_to"] != second["redirect_to"] && first["code_challenge"] != second["code_challenge"])
  }

  @Test func `the second factor is asked for after the page`() async throws {
    let bench = try await bench()
    bench.addAda(factorSecret: SupabaseBench.secret)
    bench.loopback.pageUser = .approves(email: "ada@example.com")
    let attempt = try await bench.begin(.browser(.google))
    #expect(attempt.state.challenge?.kind == .oneTimePassword)
    attempt.answer(code: bench.oneTimePassword)
    #expect(await attempt.finished().isEnded)
    #expect(bench.root.currentUser?.email == "ada@example.com")
  }

  // MARK: Single sign-on

  @Test func `a company's user signs in with the domain of the address, or with a button`() async throws {
    let bench = try await bench { $0.companies = ["example.org": "company-1", "example.net": "company-2"] }
    let attempt = try await bench.begin(.singleSignOn(), [.emailAddress: "grace@example.org"])
    #expect(attempt.state.isEnded)
    #expect(try bench.body("sso")["domain"] == "example.org")
    #expect(try bench.body("sso")["skip_http_redirect"] == true)
    #expect(bench.root.currentUser?.email == "ada@company-1")
    _ = try await bench.begin(.singleSignOn("company-2"))
    #expect(try bench.body("sso")["provider_id"] == "company-2")
    #expect(bench.root.currentUser?.email == "ada@company-2")
  }

  @Test func `a domain without an identity provider is told, and no page is shown`() async throws {
    let bench = try await bench()
    let attempt = try await bench.begin(.singleSignOn(), [.emailAddress: "grace@example.org"])
    #expect(attempt.state.failure == .unsupportedMethod)
    #expect(attempt.state.failure?.providerCode == "sso_provider_not_found")
    #expect(bench.browser.page == nil)
    #expect(
      await code { try await bench.root.useCase.signIn(with: BrowserSignIn(method: .singleSignOn())) }
        == .invalidEmailAddress)
  }

  @Test func `a page that is no secure address is not opened`() async throws {
    let bench = try await bench()
    bench.loopback.traffic.set(.body(#"{"url":"http://idp.example.org/saml"}"#), on: "sso")
    let attempt = try await bench.begin(.singleSignOn(), [.emailAddress: "grace@example.org"])
    #expect(attempt.state.failure == .unexpectedResponse)
    #expect(bench.browser.page == nil)
  }

  // MARK: Redirects that do not come back

  @Test
  func `an address that is not allowed leads elsewhere, and the error after the deadline names the address to add`()
    async throws
  {
    let bench = try await bench { $0.redirectURLs = ["com.example.app:/callback"] }
    let attempt = try bench.root.attempts.begin(.browser(.google))
    attempt.submit()
    #expect(await bench.browser.arrival()?.host() == "www.example.com")
    await bench.clock.waitForSleeper(wakingWithin: SupabaseBench.deadline)
    bench.clock.advance(by: SupabaseBench.deadline)
    let failure = try #require(await attempt.finished().failure)
    #expect(failure == .signInExpired)
    #expect(failure.suggestion?.contains("add 'com.example.app:/callback**' to the redirect URLs") == true)
    #expect(bench.root.currentUser == nil)
    #expect(bench.requests("token pkce").isEmpty)
  }

  @Test func `a cancelled page is forgotten, and its redirect signs no user in`() async throws {
    let bench = try await bench()
    bench.browser.hangUp()
    // An attempt ends before the browser does.
    let page = Task { try await bench.root.provider.signIn(SignInRequest(.browser(.google))) }
    let url = try #require(await bench.browser.arrival())
    page.cancel()
    #expect(await code { try await page.value } == .cancelled)
    #expect(await code { try await bench.root.useCase.signIn(with: BrowserReturn(url: url)) } == .security)
    #expect(bench.requests("token pkce").isEmpty)
  }

  @Test func `an attempt is cancelled while its page is open, and another one has its own`() async throws {
    let bench = try await bench()
    bench.browser.hangUp()
    let attempt = try bench.root.attempts.begin(.browser(.google))
    attempt.submit()
    _ = await bench.browser.arrival()
    #expect(attempt.state == .externalInteraction(ExternalInteraction(.browser)))
    attempt.cancel()
    #expect(await attempt.finished() == .ended(.cancelled))
    bench.browser.hangUp(false)
    #expect(try await bench.begin(.browser(.apple)).state.isEnded)
    #expect(bench.root.currentUser?.email == "ada@apple")
  }

  // MARK: Relaunch

  /// The redirect that opens the app, which was killed while the page was open.
  func redirect(_ bench: SupabaseBench) async throws -> URL {
    bench.browser.hangUp()
    let attempt = try bench.root.attempts.begin(.browser(.google))
    attempt.submit()
    return try #require(await bench.browser.arrival())
  }

  @Test func `a page that was open while the app was killed is finished by its redirect, once`() async throws {
    let bench = try await bench()
    let url = try await redirect(bench)
    let root = try bench.relaunched()
    #expect(try await root.useCase.signIn(with: BrowserReturn(url: url)).email == "ada@google")
    #expect(await code { try await root.useCase.signIn(with: BrowserReturn(url: url)) } == .security)
    #expect(bench.requests("token pkce").count == 1)
  }

  @Test func `on another device the redirect is worth nothing`() async throws {
    let bench = try await bench()
    let url = try await redirect(bench)
    let root = try bench.relaunchedElsewhere()
    #expect(await code { try await root.useCase.signIn(with: BrowserReturn(url: url)) } == .security)
    #expect(bench.requests("token pkce").isEmpty)
  }

  @Test func `the service refuses a code that took longer than 5 minutes`() async throws {
    let bench = try await bench()
    let url = try await redirect(bench)
    let root = try bench.relaunched()
    // By the wall clock alone: the app that was killed waits for nothing.
    bench.clock.jumpWallClock(by: .seconds(301))
    let error = await code { try await root.useCase.signIn(with: BrowserReturn(url: url)) }
    #expect(error == .signInExpired && error?.providerCode == "flow_state_expired")
  }

  @Test func `another sign-in forgets the page`() async throws {
    let bench = try await bench()
    bench.addAda()
    let url = try await redirect(bench)
    let root = try bench.relaunched()
    let ada = try await root.useCase.login(username: "ada@example.com", password: "correct horse")
    #expect(await code { try await root.useCase.signIn(with: BrowserReturn(url: url)) } == .security)
    #expect(root.currentUser == ada)
  }

  @Test func `a page whose sign-in another process has ended signs no user in`() async throws {
    let bench = try await bench()
    bench.addAda()
    bench.browser.hangUp()
    let page = Task { try await bench.root.useCase.signIn(with: .browser(.google)) }
    _ = await bench.browser.arrival()
    try await bench.relaunched().useCase.login(username: "ada@example.com", password: "correct horse")
    bench.browser.hangUp(false)
    #expect(await code { try await page.value } == .superseded)
    #expect(bench.requests("token pkce").isEmpty)
  }

  #if os(macOS) || os(Linux)
  @Test func `a page returns to a port of this machine, which the project need not allow`() async throws {
    let server = LoopbackSupabase()
    let project = SupabaseProject(
      url: try await server.start().absoluteString, anonKey: "anon-key", methods: [.browser(.google)])
    let browser = SystemBrowserPresenter(open: { page throws(AuthenticationError) in
      var next: URL? = page
      let client = try SystemHTTPClient()
      while let url = next {
        next = try await client.send(HTTPRequest(.get, url)).headers["Location"].flatMap { URL(string: $0) }
      }
    })
    let root = try MainRoot(.supabase(project, presenter: browser)) { $0.storage = .inMemory }
    #expect(try await root.useCase.signIn(with: .browser(.google)).email == "ada@google")
  }
  #endif

  // MARK: Bad redirects

  @Test(
    arguments: [
      ("access_denied", .declined), ("signup_disabled", .unsupportedMethod), ("user_banned", .userDisabled),
      ("provider_email_needs_verification", .declined), ("bad_oauth_state", .security),
      ("bad_oauth_callback", .security), ("flow_state_already_used", .signInExpired),
      ("unexpected_failure", .serverFailed), ("never_heard_of", .serverFailed),
    ] as [(String, AuthenticationError)])
  func `an error of the page is told by its code, and none of its text`(
    code: String, expected: AuthenticationError
  ) async throws {
    let bench = try await bench()
    bench.loopback.pageUser = code == "access_denied" ? .declines : .fails(code: code)
    let failure = try #require(try await bench.begin(.browser(.google)).state.failure)
    #expect(failure == expected)
    #expect(failure.providerCode == code)
    #expect(!"\(failure)".contains("Ada"))
    #expect(bench.requests("token pkce").isEmpty)
  }

  @Test func `an error that is in the fragment alone is told, too`() async throws {
    let bench = try await bench()
    bench.loopback.pageUser = .declines
    bench.browser.change { $0.replacing(/\?.*#/) { _ in "?#" }.replacing("?#", with: "?state=x#") }
    // Without its own state it answers no page.
    #expect(try await bench.begin(.browser(.google)).state.failure == .security)
    bench.browser.change { url in
      let state = url.firstMatch(of: /state=[^&#]*/).map { String($0.output) } ?? ""
      return url.replacing(/\?[^#]*#/) { _ in "?\(state)#" }
    }
    #expect(try await bench.begin(.browser(.google)).state.failure == .declined)
  }

  static let spoiled: [@Sendable (String) -> String] = [
    { $0.replacing("state=", with: "former=") },
    { $0.replacing("state=", with: "state=x") },
    { $0.replacing("com.example.app:/callback", with: "com.example.app:/sign-in") },
    { $0 + "&code=another" },
    { $0 + "&error=access_denied" },
    { $0.replacing(/code=[^&]*/) { _ in "code=" } },
    { $0.replacing(/code=[^&]*&/) { _ in "" } + "#access_token=in-a-fragment&refresh_token=r&token_type=bearer" },
  ]

  @Test(arguments: spoiled.indices)
  func `a redirect that is not of this page is refused, and the user stays`(index: Int) async throws {
    let bench = try await bench()
    let user = try await bench.signedIn()
    bench.browser.change(Self.spoiled[index])
    let failure = try #require(try await bench.begin(.browser(.google)).state.failure)
    #expect(failure == .security)
    #expect(!"\(failure)".contains("fragment&"))
    #expect(bench.root.currentUser == user)
    #expect(bench.requests("token pkce").isEmpty)
  }

  @Test func `a code of another sign-in is refused by the service`() async throws {
    let bench = try await bench()
    bench.browser.change { $0.replacing(/code=[^&]*/) { _ in "code=00000000-0000-4000-8000-000000000000" } }
    let failure = try await bench.begin(.browser(.google)).state.failure
    #expect(failure == .signInExpired && failure?.providerCode == "flow_state_not_found")
  }

  @Test func `a link of another method is no page's redirect`() async throws {
    let bench = try await SupabaseBench({ $0.identityProviders.insert("github") }) { $0.methods += [.browser(.google)] }
    bench.addAda()
    let attempt = try await bench.begin(.emailLink, [.emailAddress: "ada@example.com"])
    let link = try #require(bench.loopback.messages.last?.link.flatMap(bench.loopback.follow))
    #expect(await code { try await bench.root.useCase.signIn(with: BrowserReturn(url: link)) } == .security)
    // The link still works where it was asked for.
    attempt.answer(ChallengeAnswer(to: try #require(attempt.state.challenge), .link(link)))
    #expect(await attempt.finished().isEnded)
    // A vendor that is not offered has no page here.
    let gitHub = SignInMethod(id: "github", displayName: "GitHub")
    #expect(await code { try await bench.root.useCase.signIn(with: .browser(gitHub)) } == .unsupportedMethod)
  }

  // MARK: Linking

  @Test func `an identity is linked on a page, and the user stays the same`() async throws {
    let bench = try await bench()
    let user = try await bench.root.useCase.signIn(with: .anonymous)
    let account = bench.root.manager.account
    #expect(try await account.perform(.link(.browser(.google))).isDone)
    #expect(bench.root.currentUser?.id == user.id && bench.root.currentUser?.isAnonymous == false)
    #expect(try await account.linkedMethods().map(\.method) == [.google])
    let token = try await bench.root.manager.validSession().accessToken.value
    #expect(VendorToken.claims(token.reveal())?["is_anonymous"] == false)
    #expect(bench.requests("identities/authorize").last?.header("Authorization") != "Bearer anon-key")
    _ = try await account.refreshUser()
  }

  @Test func `a link keeps the session, and its level`() async throws {
    let bench = try await bench()
    bench.addAda(factorSecret: SupabaseBench.secret)
    let attempt = try await bench.begin(.password, [.userName: "ada@example.com", .password: "correct horse"])
    attempt.answer(code: bench.oneTimePassword)
    await attempt.finished()
    let session = try await bench.root.manager.validSession()
    #expect(try await bench.root.manager.account.perform(.link(.browser(.google))).isDone)
    #expect(try await bench.root.manager.validSession().accessToken == session.accessToken)
    // The one that came with the link has ended.
    #expect(bench.loopback.liveSessions == 1)
    #expect(try await bench.root.manager.account.linkedMethods().map(\.method) == [.password, .google])
  }

  @Test func `an identity of another user is not linked`() async throws {
    let bench = try await bench()
    try await bench.relaunchedElsewhere().useCase.signIn(with: .browser(.google))
    let user = try await bench.signedIn()
    let session = try await bench.root.manager.validSession()
    #expect(await code { try await bench.root.manager.account.perform(.link(.browser(.google))) } == .alreadyLinked)
    #expect(bench.root.currentUser == user)
    #expect(try await bench.root.manager.validSession().accessToken == session.accessToken)
  }

  @Test func `where linking is turned off no page is shown`() async throws {
    let bench = try await bench { $0.linksByHand = false }
    try await bench.signedIn()
    #expect(await code { try await bench.root.manager.account.perform(.link(.browser(.google))) } == .unsupportedMethod)
    #expect(bench.browser.page == nil)
  }

  @Test func `a session of another user is not taken for the linked one, and is ended`() async throws {
    let bench = try await bench()
    let user = try await bench.signedIn()
    let other = try bench.relaunchedElsewhere()
    try await other.useCase.signIn(with: .browser(.apple))
    let session = try await other.manager.validSession()
    let (token, id) = (session.accessToken.value.reveal(), session.user.id)
    bench.loopback.traffic.set(
      .body(#"{"access_token":"\#(token)","refresh_token":"r","user":{"id":"\#(id)"}}"#), on: "token pkce")
    #expect(await code { try await bench.root.manager.account.perform(.link(.browser(.google))) } == .security)
    #expect(bench.root.currentUser == user)
    #expect(bench.requests("logout").count == 1)
    // The provider itself refuses it, too.
    bench.loopback.pageUser = .approves(email: "ada@example.org")
    let provider = try #require(bench.root.provider.part((any AccountProvider).self))
    let own = try await bench.root.manager.validSession()
    #expect(
      await code { try await provider.perform(AccountRequest(.link(.browser(.google))), for: own) } == .security)
  }

  @Test func `a page of a link is finished after a relaunch, and signs no user in`() async throws {
    let bench = try await bench()
    let user = try await bench.signedIn()
    bench.browser.hangUp()
    let account = bench.root.manager.account
    let linking = Task { try await account.perform(.link(.browser(.google))) }
    let url = try #require(await bench.browser.arrival())
    let root = try bench.relaunched()
    await root.manager.restore()
    #expect(await code { try await root.useCase.signIn(with: BrowserReturn(url: url)) } == .security)
    #expect(root.currentUser == user)
    #expect(try await root.manager.account.perform(.link(BrowserReturn(url: url))).isDone)
    #expect(try await root.manager.account.linkedMethods().map(\.method) == [.password, .google])
    await bench.clock.waitForSleeper(wakingWithin: SupabaseBench.deadline)
    bench.clock.advance(by: SupabaseBench.deadline)
    _ = await linking.result
  }
}
