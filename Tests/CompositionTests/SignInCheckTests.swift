import AuthenticationKit
import AuthenticationTesting
import Foundation
import Testing

/// The app's decision about a sign-in (`checkSignIn`).
@Suite(.timeLimit(.minutes(10))) struct SignInCheckTests {
  let provider = ScriptedAuthProvider()
  let storage = InMemoryStorage()
  let signedIn = Log()

  /// Accepts no one but Grace.
  func root() throws -> MainRoot {
    try MainRoot(.custom(provider, realm: "test")) {
      $0.storage = .secure(storage)
      $0.onSignIn = { [signedIn] in signedIn.append($0.id) }
      $0.checkSignIn = { session throws(AuthenticationError) in
        guard session.user.id == User.grace.id else { throw .notVerified }
      }
    }
  }

  static let ada = AuthSession.sample(1, of: .ada, receivedAt: .now)
  static let grace = AuthSession.sample(2, of: .grace, receivedAt: .now)
  let password = PasswordCredentials(userName: "ada", password: Secret("correct horse"))
  let challenge = Challenge(kind: .oneTimePassword, handle: Secret("first"), format: .digits(6))

  func expectNoTrace(_ root: MainRoot, revoked: [SessionTokens] = [ada.tokens]) async throws {
    await root.manager.deliverRevocations()
    #expect(provider.revokedTokens == revoked)
    #expect(signedIn.lines == [])
    let stored = try storage.read("session.test").map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(!stored.contains("access") && !stored.contains("refresh") && !stored.contains(User.ada.id))
    #expect(await (try self.root()).manager.restore() == .signedOut(.absent))
  }

  @Test(arguments: [true, false])
  func `a sign-in that the app refuses revokes its tokens and stores nothing`(isSignUp: Bool) async throws {
    let root = try root()
    provider.answerSignIn(.success(.session(Self.ada)))
    await #expect(throws: AuthenticationError.notVerified) {
      if isSignUp {
        try await root.useCase.signUp(with: password)
      } else {
        try await root.useCase.signIn(with: password)
      }
    }
    #expect(root.manager.state == .signedOut(.absent))
    try await expectNoTrace(root)
  }

  @Test func `an attempt that the app refuses can be corrected`() async throws {
    let root = try root()
    provider.answerSignIn(.success(.session(Self.ada)), .success(.session(Self.grace)))
    let attempt = try root.attempts.begin(.password)
    let input = SignInInput([.userName: "ada", .password: "correct horse"])
    attempt.submit(input)
    #expect(await attempt.finished() == .failed(.notVerified))
    try await expectNoTrace(root)
    attempt.submit(input)
    #expect(await attempt.finished() == .ended(.signedIn(.grace)))
    #expect(root.currentUser == .grace)
    #expect(signedIn.lines == [User.grace.id])
  }

  @Test(arguments: [true, false])
  func `a user whom the app refuses after a second step begins again`(isRelaunched: Bool) async throws {
    provider.answerSignIn(.success(.challenge(challenge)), .success(.session(Self.ada)))
    let first = try root()
    let begun = try first.attempts.begin(.password)
    begun.submit(SignInInput([.userName: "ada", .password: "correct horse"]))
    #expect(await begun.finished() == .challenged(challenge, nil))
    let root = isRelaunched ? try root() : first
    let attempt = isRelaunched ? try #require(await root.attempts.resume()) : begun
    attempt.answer(code: Secret("123456"))
    #expect(await attempt.finished() == .failed(.notVerified))
    #expect(root.manager.state == .signedOut(.absent))
    try await expectNoTrace(root)
    #expect(try await self.root().attempts.resume() == nil)
  }

  @Test func `a refused sign-in leaves the user who was signed in, and a refresh asks nothing`() async throws {
    let root = try root()
    provider.answerSignIn(.success(.session(Self.grace)), .success(.session(Self.ada)))
    try await root.useCase.signIn(with: password)
    await #expect(throws: AuthenticationError.notVerified) { try await root.useCase.signIn(with: password) }
    #expect(root.currentUser == .grace)
    await root.manager.deliverRevocations()
    #expect(provider.revokedTokens == [Self.ada.tokens])
    provider.answerRefresh(.success(.sample(3, receivedAt: .now)))
    #expect(try await root.manager.refreshNow().user == .grace)
  }

  @Test func `an adopted session that the app refuses is neither stored nor revoked`() async throws {
    let root = try root()
    await #expect(throws: AuthenticationError.notVerified) { try await root.useCase.adopt(Self.ada) }
    try await expectNoTrace(root, revoked: [])
  }

  @Test func `a proof whose second step the app refuses begins again`() async throws {
    let proof = AuthSession.sample(3, of: .grace, receivedAt: .now)
    let root = try MainRoot(.custom(provider, realm: "test")) {
      $0.storage = .secure(storage)
      $0.checkSignIn = { session throws(AuthenticationError) in
        guard session.tokens != proof.tokens else { throw .notVerified }
      }
    }
    provider.answerSignIn(
      .success(.session(Self.grace)), .success(.challenge(challenge)), .success(.session(proof)))
    try await root.useCase.signIn(with: password)
    let attempt = try root.attempts.reauthenticating(.grace).begin(.password)
    attempt.submit(SignInInput([.userName: "grace", .password: "battery staple"]))
    #expect(await attempt.finished() == .challenged(challenge, nil))
    attempt.answer(code: Secret("123456"))
    #expect(await attempt.finished() == .failed(.notVerified))
  }

  @Test func `a proof whose session the app refuses leaves the session as it is`() async throws {
    let proof = AuthSession.sample(3, of: .grace, receivedAt: .now)
    let root = try MainRoot(.custom(provider, realm: "test")) {
      $0.storage = .secure(storage)
      $0.checkSignIn = { session throws(AuthenticationError) in
        guard session.tokens != proof.tokens else { throw .notVerified }
      }
    }
    provider.answerSignIn(.success(.session(Self.grace)), .success(.session(proof)))
    try await root.useCase.signIn(with: password)
    await #expect(throws: AuthenticationError.notVerified) {
      try await root.useCase.reauthenticate(as: .grace, with: password)
    }
    #expect(try await root.manager.validSession() == Self.grace)
    await root.manager.deliverRevocations()
    #expect(provider.revokedTokens == [proof.tokens])
  }
}
