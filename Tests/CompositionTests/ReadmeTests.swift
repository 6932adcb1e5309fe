import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The README's compositions, compiled and run.
@Suite struct ReadmeTests {
  @Test func `a product line composes the layers by hand`() async throws {
    let temporary = TemporaryFolder()
    let folder = temporary.url
    let analytics = Log()
    let server = LoopbackIdentityServer()
    let baseURL = try await server.start()

    let client = URLSessionHTTPClient(deadline: .seconds(60)).retrying()
    let product = try AuthProviderConfiguration.api(baseURL: baseURL)
      .make(.init(httpClient: client, clock: SystemClock()))
    let store = SecureSessionStore(FileStorage(folder: folder))
    let manager = AuthManager(provider: product.provider, store: store)
    let signIn = manager.intercept { user in analytics.append(user.id) }.addValidation()
    let api = URLSessionHTTPClient(deadline: .seconds(60)).proving(with: product.proof).retrying().followRedirects()
      .authorized(by: manager, for: product.allowedOrigins)

    try await signIn.login(username: "ada", password: "correct horse")
    #expect(analytics.lines == ["ada"])
    #expect(try await api.send(HTTPRequest(.get, baseURL.appending(path: "api/notes"))).status == 200)
    await server.stop()
  }

  @Test func `an app with an HTTP client of its own asks for an authorized request`() async throws {
    let origin = try #require(Origin(URL(string: "https://api.example.com")!))
    let provider = ScriptedAuthProvider()
    let clock = ManualClock()
    provider.answerSignIn(.success(.session(.sample(receivedAt: clock.now))))
    let root = try MainRoot(
      .custom(provider, allowedOrigins: [origin]), storage: .inMemory, clock: clock)
    try await root.useCase.login(username: "ada", password: "correct horse")
    let request = try await root.requestAuthorizer
      .authorized(URLRequest(url: URL(string: "https://api.example.com/notes")!))
    #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer access-1")
  }
}
