import AuthenticationKit
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct MainRootTests {
  let clock = ManualClock()
  let provider = ScriptedAuthProvider()

  private func root(
    _ configuration: AuthProviderConfiguration? = nil, storage: StorageLocation = .inMemory,
    api: ScriptedHTTPClient = ScriptedHTTPClient(), onSignIn: @escaping @Sendable (User) async -> Void = { _ in },
    stepUp: @escaping StepUp = { _ in nil },
    apiDecorator: @escaping @Sendable (any HTTPClient) -> any HTTPClient = { $0 }
  ) throws(AuthenticationError) -> MainRoot {
    try MainRoot(configuration ?? .custom(provider, allowedOrigins: [.example])) {
      $0.storage = storage
      $0.providerTransport = ScriptedHTTPClient()
      $0.apiTransport = api
      $0.clock = clock
      $0.backoff = .immediate
      $0.stepUp = stepUp
      $0.apiDecorator = apiDecorator
      $0.onSignIn = onSignIn
    }
  }

  // origin A9
  @Test func `the root holds the current user, and none before a sign-in`() async throws {
    let root = try root()
    #expect(root.currentUser == nil)
    provider.answerSignIn(.success(.session(.sample(of: .ada, receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    #expect(root.currentUser == .ada)
  }

  @Test func `the use case and the client that the root provides can be decorated again`() async throws {
    let log = Log()
    let api = ScriptedHTTPClient { _ in .success(HTTPResponse(status: 200)) }
    let root = try root(api: api, onSignIn: { user in log.append("root \(user.id)") })
    provider.answerSignIn(.success(.session(.sample(of: .ada, receivedAt: clock.now))))
    let useCase = root.useCase.intercept { user in log.append("app \(user.id)") }.addValidation()
    try await useCase.login(username: "ada", password: "correct horse")
    #expect(log.lines == ["root ada", "app ada"])
    let client = root.apiClient.retrying(backoff: .immediate, clock: clock).followRedirects()
    let request = HTTPRequest(.get, try #require(URL(string: "https://api.example.com/notes")))
    #expect(try await client.send(request).status == 200)
  }

  @Test func `an API that refuses a token by another status, as the contract says, is asked once more`() async throws {
    var contract = APIContract.standard
    contract.mapNamedUser = { _ in .ada }
    contract.refusesAccessToken = { $0.status == 422 }
    let provider = ScriptedHTTPClient { request in
      let number = request.url.path() == "/auth/refresh" ? 2 : 1
      return .success(.scripted(200, #"{"accessToken":"access-\#(number)","refreshToken":"refresh-\#(number)"}"#))
    }
    let api = ScriptedHTTPClient { request in
      .success(HTTPResponse(status: request.headers["Authorization"] == "Bearer access-1" ? 422 : 200))
    }
    let root = try MainRoot(.api(baseURL: "https://api.example.com", contract: contract)) {
      $0.storage = .inMemory
      $0.providerTransport = provider
      $0.apiTransport = api
      $0.clock = clock
      $0.backoff = .immediate
    }
    try await root.useCase.login(username: "ada", password: "correct horse")
    let url = try #require(URL(string: "https://api.example.com/notes"))
    #expect(try await root.apiClient.send(HTTPRequest(.post, url)).status == 200)
    #expect(api.requests.map { $0.headers["Authorization"] } == ["Bearer access-1", "Bearer access-2"])
  }

  @Test func `a provider has its randomness from the root`() throws {
    let provider = provider
    let configuration = AuthProviderConfiguration(name: "random") { environment throws(AuthenticationError) in
      #expect(environment.randomBytes(3) == [3, 3, 3])
      return .init(provider: provider, allowedOrigins: [.example])
    }
    _ = try MainRoot(configuration) {
      $0.storage = .inMemory
      $0.providerTransport = ScriptedHTTPClient()
      $0.clock = clock
      $0.randomBytes = { Array(repeating: UInt8($0), count: $0) }
    }
  }

  // failure row 34
  @Test func `an exchange with the provider ends the wait after failed refreshes`() async throws {
    let (provider, http) = (provider, ScriptedHTTPClient { _ in .success(HTTPResponse(status: 200)) })
    let sender = Mutex<(any HTTPClient)?>(nil)
    let configuration = AuthProviderConfiguration(name: "outage") { environment throws(AuthenticationError) in
      sender.withLock { $0 = environment.httpClient }
      return .init(provider: provider, allowedOrigins: [.example])
    }
    let root = try MainRoot(configuration) {
      $0.storage = .inMemory
      $0.providerTransport = http
      $0.clock = clock
      $0.backoff = Backoff(random: { 0.999 })
    }
    provider.answerSignIn(.success(.session(.sample(receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    provider.answerRefresh(.failure(.serverFailed))
    for wait in [3_600, 60, 60] {
      clock.advance(by: .seconds(wait))
      _ = try? await root.manager.validSession()
    }
    await #expect(throws: AuthenticationError.unreachable) { try await root.manager.validSession() }
    clock.advance(by: .seconds(1))
    provider.answerRefresh(.success(.sample(2, receivedAt: clock.now)))
    let client = try #require(sender.withLock { $0 })
    _ = try await client.send(HTTPRequest(.get, try #require(URL(string: "https://id.example.com/keys"))))
    while (try? await root.manager.validSession()) == nil { await Task.yield() }
    #expect(root.manager.state.activeSession?.freshness == .fresh)
  }

  @Test func `callers wait as long as the root's timeout`() async throws {
    let refreshPolicy = try RefreshPolicy(callerTimeout: .seconds(10))
    let root = try MainRoot(.custom(provider, allowedOrigins: [.example])) {
      $0.storage = .inMemory
      $0.providerTransport = ScriptedHTTPClient()
      $0.clock = clock
      $0.refreshPolicy = refreshPolicy
    }
    provider.answerSignIn(.success(.session(.sample(receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    clock.advance(by: .seconds(3_600))
    provider.hold(.refresh)
    let caller = Task { try await root.manager.validSession() }
    await provider.waitForArrival(of: .refresh)
    await clock.waitForSleeper(wakingWithin: .seconds(10))
    clock.advance(by: .seconds(10))
    await #expect(throws: AuthenticationError(.timedOut, "")) { try await caller.value }
    provider.release(.refresh)
  }

  @Test func `an origin in clear is refused when the app is composed`() throws {
    let clear = try #require(Origin(URL(string: "http://api.example.com")!))
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) {
      try MainRoot(.custom(provider)) {
        $0.storage = .inMemory
        $0.allowedOrigins = [clear]
      }
    }
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) {
      try MainRoot(.custom(provider, allowedOrigins: [clear])) { $0.storage = .inMemory }
    }
  }

  @Test func `a provider's GET request is repeated after a 503`() async throws {
    let json: HTTPHeaders = ["Content-Type": "application/json"]
    let user = #"{"username":"ada","email":"a@b","name":{"firstName":"A","lastName":"L"}}"#
    let transport = ScriptedHTTPClient(
      .success(HTTPResponse(status: 200, headers: json, body: Data(#"{"accessToken":"a"}"#.utf8))),
      .success(HTTPResponse(status: 503)),
      .success(HTTPResponse(status: 200, headers: json, body: Data(user.utf8))))
    let root = try MainRoot(.api(baseURL: "https://api.example.com")) {
      $0.storage = .inMemory
      $0.providerTransport = transport
      $0.clock = clock
      $0.backoff = .immediate
    }
    let login = Task { try await root.useCase.login(username: "ada", password: "correct horse") }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    #expect(try await login.value.id == "ada")
    #expect(transport.requests.map { $0.url.path() } == ["/auth", "/user", "/user"])
  }

  @Test func `a session is found under the realm that was given, whatever the provider's type`() async throws {
    let storage = StorageLocation.inMemory
    let root = try root(.custom(provider, realm: "ours"), storage: storage)
    provider.answerSignIn(.success(.session(.sample(of: .ada, receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    let other = try MainRoot(.custom(Renamed(upstream: provider), realm: "ours")) {
      $0.storage = storage
      $0.providerTransport = ScriptedHTTPClient()
      $0.clock = clock
    }
    #expect(await other.manager.restore().user == .ada)
  }

  // origin A6, A7: the order of the use case's decorators.
  @Test func `credentials are validated first, then the manager signs in, then the interceptor runs`() async throws {
    let log = Log()
    let provider = provider
    let root = try root { user in
      log.append("intercepted \(user.id) after \(provider.messages.count) message")
    }
    provider.answerSignIn(.success(.session(.sample(of: .ada, receivedAt: clock.now))))
    await #expect(throws: AuthenticationError.emptyPassword) {
      try await root.useCase.login(username: "ada", password: "")
    }
    #expect(provider.messages.isEmpty)
    #expect(log.lines.isEmpty)
    try await root.useCase.login(username: "ada", password: "correct horse")
    log.append("returned")
    #expect(log.lines == ["intercepted ada after 1 message", "returned"])
  }

  @Test func `a sign-in or sign-up with the root's use case is validated, and intercepted before the call returns`()
    async throws
  {
    let log = Log()
    let root = try root { user in log.append(user.id) }
    provider.answerSignIn(.success(.session(.sample(of: .ada, receivedAt: clock.now))))
    let blank = PasswordCredentials(userName: "ada", password: Secret(""))
    await #expect(throws: AuthenticationError.emptyPassword) { try await root.useCase.signIn(with: blank) }
    await #expect(throws: AuthenticationError.emptyPassword) { try await root.useCase.signUp(with: blank) }
    #expect(provider.messages.isEmpty)
    #expect(log.lines.isEmpty)
    let typed = PasswordCredentials(userName: "ada", password: Secret("correct horse"))
    try await root.useCase.signIn(with: typed)
    #expect(log.lines == ["ada"])
    try await root.useCase.signUp(with: typed)
    #expect(log.lines == ["ada", "ada"])
    #expect(provider.messages.first == .signIn(.password))
    #expect(provider.messages.contains(.signUp(.password)))
    #expect(root.manager.state.user == .ada)
  }

  // The order of the client's decorators: the app's → authorizing → redirecting → retrying → proving → transport.
  @Test func `a token and a header of the app are attached once, and dropped at a redirect to another origin`()
    async throws
  {
    let api = ScriptedHTTPClient(
      .success(HTTPResponse(status: 503)),
      .success(HTTPResponse(status: 302, headers: ["Location": "https://elsewhere.example/notes"])),
      .success(HTTPResponse(status: 503)),
      .success(HTTPResponse(status: 200)))
    let root = try root(api: api, apiDecorator: { VersionedHTTPClient(upstream: $0) })
    provider.answerSignIn(.success(.session(.sample(1, receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")

    let call = Task { try await root.apiClient.send(HTTPRequest(.get, URL(string: "https://api.example.com/notes")!)) }
    for _ in 0..<2 {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(30))
    }
    #expect(try await call.value.status == 200)
    #expect(
      api.requests.map { $0.url.host() } == [
        "api.example.com", "api.example.com", "elsewhere.example", "elsewhere.example",
      ])
    #expect(
      api.requests.map { $0.headers["Authorization"] } == ["Bearer access-1", "Bearer access-1", nil, nil])
    #expect(api.requests.map { $0.headers["X-App-Version"] } == ["4.2", "4.2", nil, nil])
  }

  @Test(arguments: [true, false]) func `a root's trust is that of its provider's client and of its API's`(
    replacesProvider: Bool
  ) throws {
    let provider = provider
    #expect(throws: AuthenticationError.invalidConfiguration) {
      try MainRoot(.custom(provider, allowedOrigins: [.example])) {
        $0.storage = .inMemory
        $0.serverTrust = ServerTrust(pins: [])
        if replacesProvider {
          $0.providerTransport = ScriptedHTTPClient()
        } else {
          $0.apiTransport = ScriptedHTTPClient()
        }
      }
    }
  }

  // RFC 9449 §4.2, §11.1
  @Test func `each sending is proved, next to the transport`() async throws {
    let api = ScriptedHTTPClient(
      .success(HTTPResponse(status: 503)),
      .success(HTTPResponse(status: 301, headers: ["Location": "/items"])),
      .success(HTTPResponse(status: 302, headers: ["Location": "https://elsewhere.example/"])),
      .success(HTTPResponse(status: 200)))
    let provider = provider
    let proof = SerialProof()
    let root = try root(
      AuthProviderConfiguration(name: "bound") { _ throws(AuthenticationError) in
        .init(provider: provider, allowedOrigins: [.example], proof: proof)
      }, api: api)
    provider.answerSignIn(.success(.session(.sample(1, receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    let call = Task { try await root.apiClient.send(HTTPRequest(.get, URL(string: "https://api.example.com/notes")!)) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    #expect(try await call.value.status == 200)
    #expect(api.requests.map { $0.headers["DPoP"] } == ["/notes 1", "/notes 2", "/items 3", nil])
  }

  @Test func `an order whose response is a redirect is placed once, though the redirect's target cannot be reached`()
    async throws
  {
    let clock = clock
    let api = ScriptedHTTPClient { request in
      request.method == .post
        ? .success(HTTPResponse(status: 303, headers: ["Location": "https://api.example.com/orders/1"]))
        : .failure(AuthenticationError(.unreachable, ""))
    }
    let root = try root(api: api)
    provider.answerSignIn(.success(.session(.sample(1, receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    let order = HTTPRequest(.post, URL(string: "https://api.example.com/orders")!, body: Data("{}".utf8))
    let call = Task { try await root.apiClient.send(order) }
    for _ in 0..<2 {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(30))
    }
    await #expect(throws: AuthenticationError(.unreachable, "")) { try await call.value }
    #expect(api.requests.filter { $0.method == .post }.count == 1)
  }

  @Test func `a refresh whose answer is lost is sent once more, not once for each retry`() async throws {
    let root = try root()
    provider.answerSignIn(.success(.session(.sample(1, receivedAt: clock.now, lifetime: .seconds(60)))))
    provider.answerRefresh(.failure(AuthenticationError(.connectionLost, "")))
    try await root.useCase.login(username: "ada", password: "correct horse")
    clock.advance(by: .seconds(60))
    await #expect(throws: AuthenticationError(.connectionLost, "")) {
      try await root.apiClient.send(HTTPRequest(.get, URL(string: "https://api.example.com/notes")!))
    }
    #expect(provider.messages.filter { if case .refresh = $0 { true } else { false } }.count == 2)
  }

  // RFC 9470 §4
  @Test func `an API that asks for a stronger sign-in gets one through the app's own use case`() async throws {
    let log = Log()
    let api = ScriptedHTTPClient(
      .success(
        HTTPResponse(
          status: 401,
          headers: ["WWW-Authenticate": #"Bearer error="insufficient_user_authentication", acr_values="gold""#])),
      .success(HTTPResponse(status: 200)))
    let root = try root(api: api) { user in
      log.append("intercepted \(user.id)")
    } stepUp: { requirements in
      log.append("asked for \(requirements.acrValues)")
      return PasswordCredentials(userName: "ada", password: Secret("stronger"))
    }
    provider.answerSignIn(
      .success(.session(.sample(1, receivedAt: clock.now))), .success(.session(.sample(2, receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    #expect(try await root.apiClient.send(HTTPRequest(.get, URL(string: "https://api.example.com/")!)).status == 200)
    #expect(log.lines == ["intercepted ada", #"asked for ["gold"]"#, "intercepted ada"])
    #expect(api.requests.map { $0.headers["Authorization"] } == ["Bearer access-1", "Bearer access-2"])
  }

  @Test func `another user's credentials for a stronger sign-in leave the session as it is`() async throws {
    let api = ScriptedHTTPClient(
      .success(
        HTTPResponse(
          status: 401, headers: ["WWW-Authenticate": #"Bearer error="insufficient_user_authentication""#])))
    let root = try root(api: api, stepUp: { _ in PasswordCredentials(userName: "grace", password: Secret("stronger")) })
    provider.answerSignIn(
      .success(.session(.sample(1, receivedAt: clock.now))),
      .success(.session(.sample(2, of: .grace, receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    await #expect(throws: AuthenticationError.userMismatch) {
      try await root.apiClient.send(HTTPRequest(.get, URL(string: "https://api.example.com/")!))
    }
    #expect(root.manager.state.session == .sample(1, receivedAt: clock.now))
  }

  @Test func `credentials for a stronger sign-in are validated like any others`() async throws {
    let api = ScriptedHTTPClient(
      .success(
        HTTPResponse(
          status: 401, headers: ["WWW-Authenticate": #"Bearer error="insufficient_user_authentication""#])))
    let root = try root(api: api, stepUp: { _ in PasswordCredentials(userName: "ada", password: Secret("")) })
    provider.answerSignIn(.success(.session(.sample(1, receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    await #expect(throws: AuthenticationError.emptyPassword) {
      try await root.apiClient.send(HTTPRequest(.get, URL(string: "https://api.example.com/")!))
    }
  }

  // A realm is a host's own.
  @Test func `tokens of one host are not sent to another that takes its place in the configuration`() async throws {
    let storage = InMemoryStorage()
    let server = ScriptedHTTPClient(
      .success(
        HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"], body: Data(#"{"accessToken":"staging"}"#.utf8))),
      .success(
        HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"],
          body: Data(#"{"email":"a","username":"ada","name":{"firstName":"A","lastName":"L"}}"#.utf8))))
    let staging = try MainRoot(.api(baseURL: "https://staging.example.com")) {
      $0.storage = .secure(storage)
      $0.providerTransport = server
      $0.clock = clock
    }
    try await staging.useCase.login(username: "ada", password: "correct horse")
    let other = try MainRoot(.api(baseURL: "https://other.example.org")) {
      $0.storage = .secure(storage)
      $0.clock = clock
    }
    #expect(await other.manager.restore() == .signedOut(.absent))
  }

  @Test func `a token goes to no other origin`() async throws {
    let root = try root()
    provider.answerSignIn(.success(.session(.sample(receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    await #expect(throws: AuthenticationError(.originNotAllowed, "")) {
      try await root.apiClient.send(HTTPRequest(.get, URL(string: "https://api.example.com.evil.example/")!))
    }
  }

  @Test(arguments: [
    "", "api.example.com", "http://api.example.com", "https://", "ftp://api.example.com",
    "https://user:password@api.example.com", "https://api.example.com?key=1", "https://api.example.com#top",
    "https://exa mple.com:99999999", "http://127.0.0.1.example.com",
  ])
  func `a base URL that cannot work is refused when the app is composed`(text: String) {
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) {
      try MainRoot(.api(baseURL: text)) { $0.storage = .inMemory }
    }
  }

  @Test(arguments: [
    "https://api.example.com", "https://api.example.com/v1/", "http://127.0.0.1:8080", "http://[::1]:80",
  ])
  func `a base URL that can work is accepted`(text: String) throws {
    #expect(try MainRoot(.api(baseURL: text), { $0.storage = .inMemory }).providerName == "api")
  }

  // origin B5: the one line that switches the provider.
  @Test func `another provider is one line, and never sees the sessions of the one before`() async throws {
    let folder = TemporaryFolder()
    let first = try root(.custom(provider, name: "first"), storage: .files(in: folder.url))
    provider.answerSignIn(.success(.session(.sample(of: .ada, receivedAt: clock.now))))
    try await first.useCase.login(username: "ada", password: "correct horse")

    let second = try root(.mock(.failure(.invalidCredentials)), storage: .files(in: folder.url))
    #expect(await second.manager.restore() == .signedOut(.absent))
    let again = try root(.custom(provider, name: "first"), storage: .files(in: folder.url))
    #expect(await again.manager.restore().user == .ada)
  }

  // origin B8
  @Test func `the mock provider signs its user in and keeps the session like any other`() async throws {
    let root = try root(.mock(.success(.grace)))
    #expect(try await root.useCase.login(username: "anyone", password: "anything") == .grace)
    let session = try await root.manager.validSession()
    #expect(session.user == .grace)
    try await root.manager.signOut()
    #expect(root.currentUser == nil)
  }

  @Test func `two roots with two keys are two accounts in one process`() async throws {
    let storage = InMemoryStorage()
    let one = try root(.mock(.success(.ada)), storage: .secure(storage, key: "one"))
    let two = try root(.mock(.success(.grace)), storage: .secure(storage, key: "two"))
    try await one.useCase.login(username: "ada", password: "x")
    try await two.useCase.login(username: "grace", password: "x")
    try await one.manager.signOut()
    #expect(one.currentUser == nil)
    #expect(two.currentUser == .grace)
    #expect(
      await (try root(.mock(.success(.grace)), storage: .secure(storage, key: "two"))).manager.restore().user == .grace)
  }

  @MainActor
  @Test func `a view model of the root follows a session that was stored before`() async throws {
    let storage = InMemoryStorage()
    let before = try root(.mock(.success(.ada)), storage: .secure(storage))
    try await before.useCase.login(username: "ada", password: "x")
    let model = try root(.mock(.success(.ada)), storage: .secure(storage)).makeViewModel()
    await model.waited { model.user != nil }
    #expect(model.user == .ada)
    #expect(model.step == nil)
  }
}

/// The same service by a type of another name.
private struct Renamed: RemoteAuthProvider {
  let upstream: ScriptedAuthProvider

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    try await upstream.signIn(request)
  }
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try await upstream.refresh(session)
  }
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    try await upstream.revoke(tokens, keepingOtherSessions: keepingOtherSessions)
  }
}

/// Numbers its proofs.
private final class SerialProof: RequestProof {
  private let count = Atomic(0)

  func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError) {
    request.headers["DPoP"] = "\(request.url.path()) \(count.add(1, ordering: .relaxed).newValue)"
  }

  func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool { false }
}

extension Origin {
  fileprivate static let example = Origin(URL(string: "https://api.example.com")!)!
}

extension Backoff {
  fileprivate static let immediate = Backoff { 0.5 }
}

private struct VersionedHTTPClient: HTTPClient {
  let upstream: any HTTPClient

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    var request = request
    request.headers["X-App-Version"] = "4.2"
    return try await upstream.send(request)
  }
}
