import AuthenticationDomain
import AuthenticationFirebase
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// An app, and a service that it talks to over real HTTP; only the clock is scripted.
struct LoopbackBench {
  static let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
  /// By which the app shows, before a text message is sent, that it is itself.
  static let proof = ["recaptchaToken": Secret("solved")]

  let clock = ManualClock()
  let loopback: LoopbackFirebase
  let root: MainRoot
  private let project: FirebaseProject
  /// The stored step that another launch of the app finds; nil for one on another device.
  private let storage: InMemoryStorage?

  init(
    _ options: (inout LoopbackFirebase.Options) -> Void = { _ in }, storage: InMemoryStorage? = nil,
    _ change: (inout FirebaseProject) -> Void = { _ in }
  ) async throws {
    var server = LoopbackFirebase.Options()
    options(&server)
    loopback = LoopbackFirebase(server, clock: clock)
    var project = FirebaseProject(apiKey: server.apiKey)
    project.endpoint = try await loopback.start().absoluteString
    project.continueURL = "https://app.example.com/sign-in"
    change(&project)
    self.project = project
    self.storage = storage
    root = try Self.root(project, clock, storage)
  }

  /// The same app on another device.
  func rootElsewhere() throws -> MainRoot { try Self.root(project, clock, nil) }

  /// The same app after a relaunch.
  func relaunched() throws -> MainRoot { try Self.root(project, clock, storage) }

  private static func root(
    _ project: FirebaseProject, _ clock: ManualClock, _ storage: InMemoryStorage?
  ) throws -> MainRoot {
    try MainRoot(.firebase(project)) {
      $0.storage = .secure(storage ?? InMemoryStorage())
      $0.clock = clock
      $0.refreshPolicy = .onDemand
      $0.backoff = Backoff(base: .zero, cap: .zero)
      $0.signInLink = SignInLink(host: "demo-project.firebaseapp.com", path: "/__/auth/action")
    }
  }

  // MARK: Users

  @discardableResult
  func addAda(isVerified: Bool = true, factorSecret: String? = nil, factorPhone: String? = nil) -> String {
    loopback.addAccount(
      email: "ada@example.com", password: "correct horse", isVerified: isVerified, factorSecret: factorSecret,
      factorPhone: factorPhone)
  }

  /// Ada, signed in by her password.
  @discardableResult
  func signedIn(isVerified: Bool = true) async throws -> User {
    addAda(isVerified: isVerified)
    return try await root.useCase.login(username: "ada@example.com", password: "correct horse")
  }

  func begin(
    _ method: SignInMethod, _ fields: [SignInMethod.Need: String] = [:], attributes: [String: Secret] = [:]
  ) async throws -> SignInAttempt {
    let attempt = try root.attempts.begin(method)
    attempt.submit(SignInInput(fields, attributes: attributes))
    await attempt.finished()
    return attempt
  }

  /// Ada's password, in an attempt.
  func ada() async throws -> SignInAttempt {
    try await begin(
      .password, [.userName: "ada@example.com", .password: "correct horse"], attributes: Self.proof)
  }

  /// Lets the access token expire, and returns the session after that.
  func refreshed() async throws -> AuthSession {
    clock.advance(by: .seconds(3_601))
    return try await root.manager.validSession()
  }

  var lastCode: Secret { Secret(loopback.messages.last?.code ?? "") }
  var lastLink: URL { get throws { try #require(loopback.mails.last).link } }

  /// The code of an authenticator app with Ada's secret, or another one.
  func oneTimePassword(_ secret: String = secret) -> Secret {
    Secret(OneTimePassword.code(secret: secret, at: clock.now))
  }
}
