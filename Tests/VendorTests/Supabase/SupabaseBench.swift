import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// An app, and a service that it talks to over real HTTP; only the clock is scripted.
struct SupabaseBench {
  static let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
  static let redirect = "https://app.example.com/sign-in"
  /// Of a page.
  static let deadline: Duration = .seconds(300)

  let clock = ManualClock()
  let storage = InMemoryStorage()
  let loopback: LoopbackSupabase
  let root: MainRoot
  /// In which the app's pages are shown.
  let browser: ScriptedBrowser
  private let project: SupabaseProject

  init(
    _ options: (inout LoopbackSupabase.Options) -> Void = { _ in }, _ change: (inout SupabaseProject) -> Void = { _ in }
  ) async throws {
    var server = LoopbackSupabase.Options()
    server.redirectURLs.insert("\(ScriptedBrowser.redirect)**")
    options(&server)
    loopback = LoopbackSupabase(server, clock: clock)
    var project = SupabaseProject(url: try await loopback.start().absoluteString, anonKey: server.anonKey)
    project.redirectURL = Self.redirect
    change(&project)
    self.project = project
    browser = ScriptedBrowser()
    root = try Self.root(project, storage, clock, browser)
  }

  /// The same app after a relaunch.
  func relaunched() throws -> MainRoot { try Self.root(project, storage, clock, browser) }

  /// The same app on another device.
  func relaunchedElsewhere() throws -> MainRoot { try Self.root(project, InMemoryStorage(), clock, browser) }

  private static func root(
    _ project: SupabaseProject, _ storage: InMemoryStorage, _ clock: ManualClock, _ browser: ScriptedBrowser
  ) throws -> MainRoot {
    try MainRoot(.supabase(project, presenter: browser, redirect: .address(ScriptedBrowser.redirect))) {
      $0.storage = .secure(storage)
      $0.clock = clock
      $0.refreshPolicy = .onDemand
      $0.backoff = Backoff(base: .zero, cap: .zero)
      $0.signInLink = SignInLink(host: "app.example.com", path: "/sign-in")
    }
  }

  // MARK: Users

  @discardableResult
  func addAda(factorSecret: String? = nil, factorPhone: String? = nil, metadata: [String: JSONValue] = [:]) -> String {
    loopback.addAccount(
      email: "ada@example.com", password: "correct horse", phone: "+491701234567", factorSecret: factorSecret,
      factorPhone: factorPhone, metadata: metadata)
  }

  /// Ada, signed in by her password.
  @discardableResult
  func signedIn() async throws -> User {
    addAda()
    return try await root.useCase.login(username: "ada@example.com", password: "correct horse")
  }

  func begin(_ method: SignInMethod, _ fields: [SignInMethod.Need: String] = [:]) async throws -> SignInAttempt {
    let attempt = try root.attempts.begin(method)
    attempt.submit(SignInInput(fields))
    await attempt.finished()
    return attempt
  }

  var lastCode: Secret { Secret(loopback.messages.last?.code ?? "") }

  /// The code of Ada's authenticator app.
  var oneTimePassword: Secret { Secret(OneTimePassword.code(secret: Self.secret, at: clock.now)) }

  // MARK: The requests

  func requests(_ operation: String) -> [VendorTraffic.RecordedRequest] { loopback.traffic.requests(on: operation) }

  func body(_ operation: String) throws -> [String: JSONValue] {
    let request = try #require(requests(operation).last)
    return try JSONDecoder().decode([String: JSONValue].self, from: request.body)
  }
}

/// The code of the error that a call throws; nil if it throws none.
func code<Value>(of call: () async throws -> Value) async -> AuthenticationError? {
  do { _ = try await call() } catch { return error as? AuthenticationError }
  return nil
}
