import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// The README's compositions, compiled and run.
@Suite struct ReadmeTests {
  @Test func `a product line composes the layers by hand`() async throws {
    let temporary = TemporaryFolder()
    let folder = temporary.url
    let analytics = Log()
    let server = LoopbackIdentityServer()
    let baseURL = try await server.start()

    let client = try SystemHTTPClient(deadline: .seconds(60)).retrying()
    let product = try AuthProviderConfiguration.api(baseURL: baseURL)
      .make(.init(httpClient: client, clock: SystemClock()))
    let store = FileStorage(folder: folder).sessionStore()
    let manager = AuthManager(provider: product.provider, store: store)
    let signIn = manager.intercept { user in analytics.append(user.id) }.addValidation()
    let api = try SystemHTTPClient(deadline: .seconds(60)).proving(with: product.proof).retrying().followRedirects()
      .authorized(by: manager, for: product.allowedOrigins)

    try await signIn.login(username: "ada", password: "correct horse")
    #expect(analytics.lines == ["ada"])
    #expect(try await api.send(HTTPRequest(.get, baseURL.appending(path: "api/notes"))).status == 200)
    await server.stop()
  }

  @Test func `a task knows the code of the error that a sign-in threw, and discards its result`() async throws {
    let root = try MainRoot(.mock(.failure(.invalidCredentials))) { $0.storage = .inMemory }
    let failure: AuthenticationError? = await Task {
      do throws(AuthenticationError) {
        try await root.useCase.signIn(with: .phone("+4930123456"))
        try await root.useCase.signUp(with: .phone("+4930123456"))
      } catch {
        return error
      }
      return nil
    }.value
    #expect(failure == .invalidCredentials)
  }

  // origin B5
  @Test(
    arguments: [
      .api(baseURL: "https://api.example.com"), .mock(.success(.ada)), .custom(ScriptedAuthProvider(), realm: "own"),
    ] as [AuthProviderConfiguration])
  func `an app changes its provider in one line`(provider: AuthProviderConfiguration) async throws {
    let root = try MainRoot(provider) { $0.storage = .inMemory }
    #expect(await root.manager.restore() == .signedOut(.absent))
  }

  #if canImport(Security)
  @Test func `an app with an HTTP client of its own asks for an authorized request`() async throws {
    let origin = try #require(Origin(URL(string: "https://api.example.com")!))
    let provider = ScriptedAuthProvider()
    let clock = ManualClock()
    provider.answerSignIn(.success(.session(.sample(receivedAt: clock.now))))
    let root = try MainRoot(.custom(provider, allowedOrigins: [origin])) {
      $0.storage = .inMemory
      $0.clock = clock
    }
    try await root.useCase.login(username: "ada", password: "correct horse")
    let request = try await root.requestAuthorizer
      .authorized(URLRequest(url: URL(string: "https://api.example.com/notes")!))
    #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer access-1")
  }
  #endif
}
