import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

/// A view model in front of a manager whose states a test sets. // origin B8
@MainActor
@Suite(.timeLimit(.minutes(10))) struct ScriptedAuthManagerTests {
  let manager = ScriptedAuthManager(.signedOut(.absent))
  let model: AuthenticationViewModel
  let active = ActiveSession(session: .sample(receivedAt: ManualClock().now))

  init() { model = AuthenticationViewModel(useCase: manager, control: manager) }

  @Test func `a screen shows the states that a test sets`() async {
    await model.waited { model.shown == .signedOut }
    manager.set(.signedIn(active))
    await model.waited { model.shown == .signedIn }
    #expect(model.user == .ada)
    manager.set(.unavailable(.storageUnavailable))
    await model.waited { model.shown == .storeLocked }
    #expect(model.failure?.error == .storageUnavailable)
  }

  private func type() {
    model.userName = "ada"
    model.password = "correct horse"
  }

  @Test func `a sign-in is answered as scripted, and changes no state by itself`() async {
    manager.answerSignIn(.failure(.invalidCredentials), .success(.ada))
    type()
    model.signIn()
    await model.finished()
    #expect(model.failure?.error == .invalidCredentials)
    type()
    model.signUp()
    await model.finished()
    #expect(model.failure == nil)
    #expect(model.shown == .signedOut)
    #expect(manager.messages.filter { $0 != .restore } == [.signIn(.password), .signUp(.password)])
  }

  @Test func `a sign-in that is not scripted signs no user in`() async {
    type()
    model.signIn()
    await model.finished()
    #expect(model.failure?.error == .unsupportedMethod)
  }

  @Test func `a sign-out fails where it is scripted to`() async {
    manager.set(.signedIn(active))
    await model.waited { model.shown == .signedIn }
    manager.answerSignOut(.failure(.storageUnavailable), .success(()))
    model.signOut()
    await model.finished()
    #expect(model.failure?.error == .storageUnavailable)
    model.signOut()
    await model.finished()
    #expect(model.failure == nil)
    #expect(manager.messages.filter { $0 == .signOut }.count == 2)
  }

  @Test func `a held answer comes when it is released`() async {
    manager.answerSignIn(.success(.ada))
    manager.hold(.signIn)
    type()
    model.signIn()
    await manager.waitForArrival(of: .signIn)
    #expect(model.isWorking)
    manager.set(.signedIn(active))
    manager.release(.signIn)
    await model.finished()
    #expect(model.message == "Welcome back, \u{2068}Ada Lovelace\u{2069}!")
  }

  @Test func `code that needs a session gets the session of the state, or the scripted result`() async throws {
    await #expect(throws: AuthenticationError.notSignedIn) { try await manager.validSession() }
    manager.set(.signedIn(active))
    #expect(try await manager.validSession() == active.session)
    await #expect(throws: AuthenticationError.sessionExpired) {
      try await manager.validSession(rejecting: active.session.accessToken)
    }
    manager.answerSession(.failure(.unreachable))
    await #expect(throws: AuthenticationError.unreachable) { try await manager.validSession() }
  }
}
