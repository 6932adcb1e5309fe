import AuthenticationAccount
import AuthenticationCognito
import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// Signing in on the pages of a user pool, over real HTTP.
@Suite(.timeLimit(.minutes(10))) struct CognitoManagedLoginTests {
  static let allScopes = ["openid", "profile", "email", "aws.cognito.signin.user.admin"]
  let clock = ManualClock()
  let browser = VendorBrowser()
  let storage = InMemoryStorage()

  func pool(
    at server: LoopbackCognito, _ methods: [SignInMethod], scopes: [String] = allScopes,
    redirect: RedirectURI = .address("com.example.app:/callback")
  ) async throws -> CognitoUserPool {
    let url = try await server.start().absoluteString
    return CognitoUserPool(
      id: "us-east-1_Loopback", clientID: "client1", endpoint: url, methods: methods,
      managedLogin: CognitoManagedLogin(domain: url, redirect: redirect, presenter: browser, scopes: scopes))
  }

  func root(_ pool: CognitoUserPool) throws -> MainRoot {
    try MainRoot(.cognito(pool)) { [clock, storage] in
      $0.storage = .secure(storage)
      $0.clock = clock
      $0.refreshPolicy = .onDemand
    }
  }

  func app(
    _ methods: [SignInMethod] = [.plainPassword, .browser, .browser(.google), .browser(.apple)],
    scopes: [String] = allScopes
  ) async throws -> (root: MainRoot, server: LoopbackCognito) {
    let server = LoopbackCognito(clock: clock)
    server.addAccount("ada", password: "correct horse", email: "ada@example.com")
    return (try root(try await pool(at: server, methods, scopes: scopes)), server)
  }

  func attempt(
    _ root: MainRoot, _ method: SignInMethod, hints: SignInHints = SignInHints(), attributes: [String: Secret] = [:]
  ) async throws -> SignInAttempt.State {
    let attempt = try root.attempts.begin(method)
    attempt.submit(SignInInput(attributes: attributes, hints: hints))
    return await attempt.finished()
  }

  func signInByPassword(_ root: MainRoot) async throws -> User {
    try await root.useCase.signIn(
      with: CognitoCredentials(userName: "ada", password: Secret("correct horse"), method: .plainPassword))
  }

  @Test func `the page of the chosen identity provider is shown, and signs in`() async throws {
    let (root, server) = try await app()
    #expect(root.methods == [.plainPassword, .browser, .browser(.google), .browser(.apple)])
    #expect(try await attempt(root, .browser(.google)).isEnded)
    #expect(root.currentUser?.email == "ada@example.com")
    #expect(root.currentUser?.claims["cognito:username"]?.text?.hasPrefix("Google_") == true)
    #expect(browser.pages.last?.path() == "/oauth2/authorize")
    #expect(browser.parameter("identity_provider") == "Google")
    #expect(browser.parameter("response_type") == "code" && browser.parameter("code_challenge_method") == "S256")
    #expect(browser.parameter("redirect_uri") == "com.example.app:/callback")
    #expect(browser.parameter("scope") == Self.allScopes.joined(separator: "+"))
    #expect(browser.parameter("state")?.count == 43 && browser.parameter("nonce")?.count == 43)
    #expect(server.traffic.operations == ["authorize", "token authorization_code"])
    #expect(try await attempt(root, .browser(.apple)).isEnded)
    #expect(browser.parameter("identity_provider") == "SignInWithApple")
  }

  @Test func `one session serves both ways: the same user, refresh, account services and revocation`() async throws {
    let (root, server) = try await app()
    let byPassword = try await signInByPassword(root)
    #expect(try await attempt(root, .browser).isEnded)
    #expect(root.currentUser?.id == byPassword.id)
    #expect(root.currentUser?.claims == byPassword.claims)
    clock.advance(by: .seconds(3_601))
    let refreshed = try await root.manager.validSession()
    #expect(refreshed.accessToken.scopes == Self.allScopes)
    #expect(server.traffic.requests(on: "GetTokensFromRefreshToken").count == 1)
    #expect(root.manager.account.abilities.contains(.changePassword))
    try await root.manager.account.perform(
      .changePassword(from: Secret("correct horse"), to: Secret("battery staple")))
    try await root.manager.signOut()
    #expect(await root.manager.deliverRevocations().isEmpty)
    #expect(server.liveSessions == 0)
  }

  @Test
  func `hints and the chosen provider go to the page; a hint that it does not support is refused before it is shown`()
    async throws
  {
    let (root, server) = try await app()
    let hints = SignInHints(userName: "ada@example.com", prompt: ["login"], locales: ["de", "fr"])
    let attributes = ["idp_identifier": Secret("staff.example.com")]
    #expect(try await attempt(root, .browser, hints: hints, attributes: attributes).isEnded)
    #expect(browser.parameter("login_hint") == "ada@example.com" && browser.parameter("prompt") == "login")
    #expect(browser.parameter("lang") == "de" && browser.parameter("idp_identifier") == "staff.example.com")
    let recent = SignInHints(requirements: AuthenticationRequirements(maxAge: .seconds(60)))
    #expect(try await attempt(root, .browser, hints: recent) == .failed(.unsupportedMethod))
    let member = SignInHints(organization: "org_1")
    #expect(try await attempt(root, .browser, hints: member).failure == AuthenticationError(.invalidRequest, ""))
    #expect(browser.pages.count == 1)
    #expect(try await attempt(root, .browser, hints: SignInHints(prompt: ["none"])).isEnded)
    try await root.manager.signOut()
    let page = "\(try domain)/logout?client_id=client1&logout_uri=com.example.app:/signed-out"
    _ = try await VendorBrowser.visit(try #require(URL(string: page)))
    #expect(!server.isBrowserSignedIn)
    let silent = try await attempt(root, .browser, hints: SignInHints(prompt: ["none"]))
    #expect(silent == .failed(.insufficientUserAuthentication))
  }

  /// Where the newest page was.
  var domain: String {
    get throws { String(try #require(browser.pages.last?.absoluteString.split(separator: "/oauth2").first)) }
  }

  @Test(
    arguments: [
      (.declines, .declined), (.causes(error: "invalid_scope"), .clientRejected),
      (.causes(error: "server_error"), .serverFailed), (.causes(error: "canary_error"), .unexpectedResponse),
    ] as [(LoopbackOpenIDIssuer.UserAction, AuthenticationError)])
  func `a page that ends with a failure keeps the session as it was`(
    action: LoopbackOpenIDIssuer.UserAction, expected: AuthenticationError
  ) async throws {
    let (root, server) = try await app()
    let user = try await signInByPassword(root)
    server.user = action
    #expect(try await attempt(root, .browser(.google)) == .failed(expected))
    #expect(root.currentUser == user && server.liveSessions == 1)
  }

  @Test func `a cancelled attempt stores nothing, and its response is worth nothing afterwards`() async throws {
    let (root, server) = try await app()
    browser.action = .waits
    let attempt = try root.attempts.begin(.browser(.google))
    attempt.submit()
    let url = try await browser.redirect()
    #expect(attempt.state == .externalInteraction(ExternalInteraction(.browser)))
    attempt.cancel()
    browser.action = .visits { $0 }
    #expect(await attempt.finished() == .ended(.cancelled))
    let error = await failure { try await root.useCase.signIn(with: BrowserReturn(url: url)) }
    #expect(error?.reason == .state)
    #expect(root.currentUser == nil && server.liveSessions == 0)
  }

  @Test func `a redirect counts for the attempt that it belongs to, and for no other method`() async throws {
    let (root, server) = try await app()
    let user = try await signInByPassword(root)
    browser.action = .waits
    let google = try root.attempts.begin(.browser(.google))
    google.submit()
    browser.action = .returns(try await browser.redirect())
    let state = try await attempt(root, .browser(.apple))
    #expect(state.failure?.reason == .state)
    #expect(root.currentUser == user && server.liveSessions == 1)
    #expect(server.traffic.requests(on: "token authorization_code").isEmpty)
  }

  @Test(
    arguments: [
      ("state", nil, .state), ("state", "canary", .state), ("code", nil, .redirect), ("code", "", .redirect),
      ("error", "access_denied", .redirect),
    ] as [(String, String?, FailureReason)])
  func `a redirect with a missing, wrong or unexpected parameter is refused`(
    name: String, value: String?, check: FailureReason
  ) async throws {
    let (root, server) = try await app()
    browser.action = .visits { $0.setting(name, value) }
    let failure = try await attempt(root, .browser).failure
    #expect(failure?.reason == check)
    #expect("\(failure, default: "-")".contains("canary") == false)
    #expect(root.currentUser == nil && server.liveSessions == 0)
  }

  @Test func `a redirect to another address is refused`() async throws {
    let (root, server) = try await app()
    browser.action = .visits { url in
      URL(string: url.absoluteString.replacing("com.example.app:/callback", with: "com.example.app:/other")) ?? url
    }
    #expect(try await attempt(root, .browser).failure?.reason == .redirect)
    #expect(root.currentUser == nil && server.liveSessions == 0)
  }

  @Test func `a sign-in that was begun before a relaunch is finished once, by its redirect`() async throws {
    let server = LoopbackCognito(clock: clock)
    let pool = try await pool(at: server, [.browser(.google)])
    browser.action = .waits
    let before = try root(pool)
    let attempt = try before.attempts.begin(.browser(.google))
    attempt.submit()
    let url = try await browser.redirect()
    let after = try root(pool)
    let user = try await after.useCase.signIn(with: BrowserReturn(url: url))
    #expect(after.currentUser == user && user.email == "ada@example.com")
    #expect(await failure { try await after.useCase.signIn(with: BrowserReturn(url: url)) }?.reason == .state)
    #expect(after.currentUser == user)
    browser.action = .visits { $0 }
    await attempt.finished()
  }

  @Test func `a sign-in ends the sign-in that another process began on a page`() async throws {
    let server = LoopbackCognito(clock: clock)
    server.addAccount("ada", password: "correct horse")
    let pool = try await pool(at: server, [.plainPassword, .browser])
    browser.action = .waits
    let attempt = try root(pool).attempts.begin(.browser)
    attempt.submit()
    let url = try await browser.redirect()
    let other = try root(pool)
    let user = try await signInByPassword(other)
    #expect(await failure { try await other.useCase.signIn(with: BrowserReturn(url: url)) }?.reason == .state)
    #expect(other.currentUser == user && server.liveSessions == 1)
    browser.action = .visits { $0 }
    await attempt.finished()
  }

  @Test(arguments: [(301, .invalidCredentials), (601, .security)] as [(Int, AuthenticationError)])
  func `a redirect that comes too late signs no user in`(seconds: Int, expected: AuthenticationError) async throws {
    let server = LoopbackCognito(clock: clock)
    let pool = try await pool(at: server, [.browser])
    browser.action = .waits
    let attempt = try root(pool).attempts.begin(.browser)
    attempt.submit()
    let url = try await browser.redirect()
    clock.advance(by: .seconds(seconds))
    let after = try root(pool)
    #expect(await failure { try await after.useCase.signIn(with: BrowserReturn(url: url)) } == expected)
    #expect(after.currentUser == nil)
    browser.action = .visits { $0 }
    await attempt.finished()
  }

  @Test(
    arguments: [
      (["iss": "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Canary"], .issuer),
      (["aud": "canary"], .audience), (["token_use": "access"], .audience), (["nonce": "canary"], .nonce),
      (["nonce": .null], .nonce), (["exp": 1_000_000_000], .lifetime), (["exp": .null], .lifetime),
      (["at_hash": "canary"], .tokenHash),
    ] as [([String: JSONValue], FailureReason)])
  func `an ID token that was not asked for is refused, and the tokens beside it are revoked`(
    claims: [String: JSONValue], check: FailureReason
  ) async throws {
    let (root, server) = try await app()
    server.claimsOfManagedLogin = claims
    let failure = try await attempt(root, .browser).failure
    #expect(failure?.reason == check)
    #expect("\(failure, default: "-")".lowercased().contains("canary") == false)
    #expect(root.currentUser == nil)
    #expect(server.liveSessions == 0)
  }

  @Test(
    arguments: [
      (.scripted(401, #"{"error":"invalid_client","error_description":"canary"}"#), .clientRejected),
      (.scripted(400, #"{"error":"canary_error"}"#), .unexpectedResponse), (.scripted(503, "canary"), .serverFailed),
      (.scripted(200, "{}"), .unexpectedResponse), (.scripted(200, "<canary>", type: "text/html"), .unexpectedResponse),
      (.scripted(200, #"{"access_token":"canary"}"#), .security),
    ] as [(HTTPResponse, AuthenticationError)])
  func `an unusable response of the token endpoint stores nothing`(
    response: HTTPResponse, expected: AuthenticationError
  ) async throws {
    let login = CognitoManagedLogin(
      domain: "https://notes.example.com", redirect: .address("com.example.app:/callback"),
      presenter: ScriptedPage { "com.example.app:/callback?code=canary&state=\($0)" })
    let pool = CognitoUserPool(
      id: "us-east-1_Loopback", clientID: "client1", clientSecret: Secret("secret"), methods: [.browser],
      managedLogin: login)
    let client = ScriptedHTTPClient { _ in .success(response) }
    let root = try MainRoot(.cognito(pool)) { [clock, storage] in
      ($0.storage, $0.clock, $0.providerTransport) = (.secure(storage), clock, client)
    }
    let error = await failure { try await root.useCase.signIn(with: .browser) }
    #expect(error == expected)
    #expect("\(error, default: "-")".contains("canary") == false)
    #expect(root.currentUser == nil)
    // client1:secret
    #expect(client.requests.first?.headers["Authorization"] == "Basic Y2xpZW50MTpzZWNyZXQ=")
  }

  @Test func `without the scope of account services each of them says so, and nothing is sent`() async throws {
    let (root, server) = try await app(scopes: ["openid"])
    #expect(try await attempt(root, .browser).isEnded)
    let change = AccountChange.changePassword(from: Secret("correct horse"), to: Secret("battery staple"))
    let error = await failure { try await root.manager.account.perform(change) }
    #expect(error == .insufficientScope)
    #expect(error?.requiredScopes == ["aws.cognito.signin.user.admin"])
    #expect(server.traffic.requests(on: "ChangePassword").isEmpty)
    #expect(root.currentUser != nil)
    _ = try await signInByPassword(root)
    #expect(try await root.manager.account.perform(change).isDone)
  }

  @Test func `an app whose sessions all lack that scope is offered the reset of a password alone`() async throws {
    let (without, _) = try await app([.browser], scopes: ["openid"])
    #expect(without.manager.account.abilities == [.resetPassword])
    let (with, _) = try await app([.browser])
    #expect(with.manager.account.abilities.isSuperset(of: [.changePassword, .delete]))
    #expect(!with.manager.account.abilities.contains(.signUp))
  }

  @Test func `without openid the access token names the user`() async throws {
    let (root, server) = try await app([.browser], scopes: ["aws.cognito.signin.user.admin"])
    #expect(try await attempt(root, .browser).isEnded)
    let session = try await root.manager.validSession()
    #expect(session.tokens.identity == nil && session.user.id.hasPrefix("sub-"))
    #expect(browser.parameter("nonce") == nil && server.liveSessions == 1)
  }

  @Test func `the sign-out page ends the browser's session, and leaves the app's alone`() async throws {
    let (root, server) = try await app()
    #expect(try await attempt(root, .browser).isEnded && server.isBrowserSignedIn)
    let own = CognitoUserPool(
      id: "us-east-1_Loopback", clientID: "client1",
      managedLogin: CognitoManagedLogin(
        domain: try domain, redirect: .address("com.example.app:/callback"), presenter: browser))
    let page = try own.signOutPage(returningTo: .address("com.example.app:/signed-out"))
    #expect(page.path() == "/logout")
    #expect(page.query() == "client_id=client1&logout_uri=com.example.app%3A%2Fsigned-out")
    try await own.endBrowserSession(returningTo: .address("com.example.app:/signed-out"))
    #expect(!server.isBrowserSignedIn && root.currentUser != nil && server.liveSessions == 1)
    browser.action = .returns(try #require(URL(string: "com.example.app:/other")))
    let error = await failure {
      try await own.endBrowserSession(returningTo: .address("com.example.app:/signed-out"))
    }
    #expect(error?.reason == .redirect)
    let without = CognitoUserPool(id: "us-east-1_Loopback", clientID: "client1")
    #expect(
      await failure { try without.signOutPage(returningTo: .address("com.example.app:/a")) }
        == .invalidConfiguration)
  }

  #if os(macOS) || os(Linux)
  @Test func `the system's browser returns to a registered port of localhost, from both pages`() async throws {
    let other = LoopbackCognito()
    let port = try #require(try await other.start().port).magnitude
    await other.stop()
    var options = LoopbackCognito.Options()
    (options.redirectURIs, options.logoutURIs) = (["http://localhost:\(port)"], ["http://localhost:\(port)"])
    let server = LoopbackCognito(options, clock: clock)
    let url = try await server.start().absoluteString
    let presenter = SystemBrowserPresenter(clock: clock) { page async throws(AuthenticationError) in
      guard let back = try? await VendorBrowser.visit(page) else { throw .cancelled }
      _ = try? await VendorBrowser.visit(back)
    }
    let pool = CognitoUserPool(
      id: "us-east-1_Loopback", clientID: "client1", endpoint: url, methods: [.browser],
      managedLogin: CognitoManagedLogin(
        domain: url, redirect: .localhost(port: UInt16(port)), presenter: presenter))
    let root = try root(pool)
    #expect(try await root.useCase.signIn(with: .browser).email == "ada@example.com")
    try await pool.endBrowserSession(returningTo: .localhost(port: UInt16(port)))
    #expect(!server.isBrowserSignedIn)
  }
  #endif

  @Test func `a configuration that Cognito would not register is refused when the app is composed`() {
    let login = { (domain: String, redirect: RedirectURI, scopes: [String]) in
      CognitoManagedLogin(domain: domain, redirect: redirect, presenter: VendorBrowser(), scopes: scopes)
    }
    let (domain, address) = ("https://a.example.com", RedirectURI.address("com.example.app:/callback"))
    for (key, managed) in [
      ("managedLogin", nil), ("domain", login("http://a.example.com", address, ["openid"])),
      ("domain", login("https://a.example.com/path", address, ["openid"])),
      ("redirect", login(domain, .loopback(port: 4711), ["openid"])),
      ("redirect", login(domain, .localhost(), ["openid"])), ("scopes", login(domain, address, [])),
      ("scopes", login(domain, address, ["a b"])),
    ] {
      let pool = CognitoUserPool(
        id: "us-east-1_Loopback", clientID: "client1", methods: [.browser(.google)], managedLogin: managed)
      let error = #expect(throws: AuthenticationError.self) { try root(pool) }
      #expect(error == .invalidConfiguration)
      #expect(error?.message.contains("'\(key)'") == true, "\(key)")
    }
    let fine = CognitoUserPool(
      id: "us-east-1_Loopback", clientID: "client1", methods: [.browser],
      managedLogin: login(domain, .localhost(port: 4711), ["openid"]))
    #expect(throws: Never.self) { try root(fine) }
  }
}
