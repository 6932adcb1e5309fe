import AuthenticationKit
import AuthenticationTesting
import Foundation
import Testing

/// The screens while `onSignIn` runs, and the effect of a sign-out in it.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct SignInDoneTests {
  let provider = ScriptedAuthProvider()
  let gate = Gate()
  let completions = Log()

  func root(_ onSignIn: @escaping @Sendable (User) async -> Void) throws -> MainRoot {
    provider.answerSignIn(.success(.session(.sample(of: .ada, receivedAt: .now))))
    return try MainRoot(.custom(provider)) {
      $0.storage = .inMemory
      $0.onSignIn = onSignIn
    }
  }

  /// A model on whose screen the user has signed in, while `onSignIn` still runs.
  func finishing(_ root: MainRoot) async -> AuthenticationViewModel {
    let model = root.makeViewModel { [completions] in completions.append($0.user.id) }
    await model.waited { model.step != nil }
    model.userName = "ada"
    model.password = "correct horse"
    model.signIn()
    await gate.waitForArrivals(1)
    return model
  }

  func waitingRoot() throws -> MainRoot {
    gate.close()
    return try root { [gate] _ in await gate.pass() }
  }

  @Test func `a screen shows the sign-in until it is done, then the user and the greeting at once`() async throws {
    let root = try waitingRoot()
    let other = root.makeViewModel()
    await other.waited { other.step != nil }
    let model = await finishing(root)
    #expect(root.manager.state.user == .ada)
    // Every state that was published before is shown by then.
    for await state in root.manager.states() where state.user != nil { break }
    for _ in 0..<100 { await Task.yield() }
    for model in [model, other, root.makeViewModel()] {
      #expect(model.user == nil)
      #expect(model.message == nil)
    }
    #expect(model.isWorking)
    #expect(completions.lines == [])
    gate.open()
    await model.waited { model.user != nil }
    #expect(model.message == "Welcome back, \u{2068}Ada Lovelace\u{2069}!")
    #expect(!model.isWorking)
    await other.waited { other.user == .ada }
    #expect(other.message == nil)
    await model.finished()
    #expect(completions.lines == [User.ada.id])
  }

  @Test(arguments: [true, false])
  func `cancelling a sign-in that has succeeded shows the signed-in user`(isStartedAgain: Bool) async throws {
    let root = try waitingRoot()
    let model = await finishing(root)
    if isStartedAgain { model.startAgain() } else { model.cancel() }
    await model.waited { model.user == .ada }
    #expect(root.attempts.current?.state == .ended(.signedIn(.ada)))
    #expect(root.currentUser == .ada)
    await model.finished()
    #expect(completions.lines == [User.ada.id])
    #expect(model.message != nil)
    gate.open()
  }

  @Test(arguments: 0..<30)
  func `a sign-out in onSignIn has one outcome`(turn: Int) async throws {
    let place = Place()
    let log = Log()
    let root = try root { [gate] _ in
      switch turn % 3 {
      case 0: try? await place.root?.manager.signOut()
      case 1: try? await place.root?.manager.clear()
      default: try? await place.root?.manager.endSession(because: .requested) { _ in true }
      }
      log.append("\(place.root?.manager.state as AuthenticationState?)")
      await gate.pass()
    }
    place.root = root
    let model = await finishing(root)
    #expect(await root.attempts.current?.finished() == .ended(.cancelled))
    await model.waited { !model.isWorking }
    #expect(model.user == nil)
    #expect(root.manager.state == .signedOut(.requested))
    #expect(completions.lines == [])
    #expect(log.lines.count == 1)
    await root.manager.deliverRevocations()
    #expect(provider.revokedTokens.count == (turn % 3 == 1 ? 0 : 1))
  }

  @Test func `a challenge that code of the app asks for is that code's to answer`() async throws {
    let challenge = Challenge(kind: .smsCode, handle: Secret("first"), format: .digits(6))
    let provider = ScriptedAuthProvider()
    let other = try MainRoot(.custom(provider)) { $0.storage = .inMemory }
    let screen = other.makeViewModel()
    await screen.waited { screen.step != nil }
    provider.answerSignIn(.success(.challenge(challenge)), .success(.session(.sample(of: .ada, receivedAt: .now))))
    await #expect(throws: AuthenticationError.challengeRequired(challenge)) {
      try await other.manager.signIn(with: .password(userName: "ada", password: Secret("correct horse")))
    }
    #expect(other.manager.state == .challenged(challenge))
    await screen.finished()
    guard case .signedOut(.absent, .form) = screen.state else {
      Issue.record("The screen shows \(screen.state).")
      return
    }
    #expect(!screen.isWorking)
    try await other.manager.signIn(with: ChallengeAnswer(to: challenge, code: Secret("123456")))
    await screen.waited { screen.user == .ada }
    #expect(screen.message == nil)
  }
}

/// Where a hook finds the root that it belongs to.
private final class Place: Sendable {
  private let state = AwaitableState<MainRoot?>(nil)
  var root: MainRoot? {
    get { state.value }
    set { state.update { $0 = newValue } }
  }
}

extension ScriptedAuthProvider {
  /// The tokens that it was asked to revoke.
  var revokedTokens: [SessionTokens] {
    messages.compactMap { if case .revoke(let tokens) = $0 { tokens } else { nil } }
  }
}
