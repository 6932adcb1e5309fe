import AuthenticationKit
import AuthenticationTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct SignInMethodsTests {
  let provider = ScriptedAuthProvider()
  let storage = InMemoryStorage()

  func root(_ methods: [SignInProcess]? = nil, onSignIn: Log = Log()) throws -> MainRoot {
    try MainRoot(.custom(provider, realm: "test")) {
      $0.storage = .secure(storage)
      $0.methods = methods
      $0.onSignIn = { onSignIn.append($0.id) }
    }
  }

  @Test func `an app that lists no methods offers the methods that the provider declares`() throws {
    #expect(try root().methods == [.password])
  }

  // The order on tvOS.
  @Test func `on a screen without a keyboard another device comes first`() {
    let device = SignInProcess(.device) { _ throws(AuthenticationError) in throw .cancelled }
    let inOrder = [.password, .emailCode, device, .anonymous].deviceFirst.map(\.method)
    #expect(inOrder == [.device, .password, .emailCode, .anonymous])
  }

  // origin C5
  @Test func `a method that the provider cannot do is refused when the root is made`() {
    #expect(throws: AuthenticationError.invalidConfiguration("")) { try root([.password, .emailLink]) }
    #expect(throws: AuthenticationError.invalidConfiguration("")) { try root([.password, .password]) }
  }

  // origin D6
  @Test func `a button of one's own leads to credentials that the provider knows`() async throws {
    let gitHub = SignInProcess(
      SignInMethod(id: "github", displayName: "GitHub", needs: [.browser]), presenting: .password
    ) { _ throws(AuthenticationError) in PasswordCredentials(userName: "octocat", password: Secret("handed over")) }
    let log = Log()
    let root = try root([.password, gitHub, .unlock], onSignIn: log)
    provider.answerSignIn(.success(.session(.sample(receivedAt: .now))))
    let attempt = try root.attempts.begin(root.methods[1])
    attempt.submit()
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(root.currentUser == .ada)
    #expect(log.lines == [User.ada.id])
  }

  @Test func `a code that was asked for before a relaunch is answered after it`() async throws {
    let challenge = Challenge(kind: .oneTimePassword, handle: Secret("first"), format: .digits(6))
    provider.answerSignIn(.success(.challenge(challenge)), .success(.session(.sample(receivedAt: .now))))
    let before = try root().attempts.begin(.password)
    before.submit(SignInInput([.userName: "ada", .password: "correct horse"]))
    #expect(await before.finished() == .challenged(challenge, nil))

    let attempt = try #require(await root().attempts.resume())
    #expect(provider.messages == [.signIn(.password)])
    attempt.answer(code: Secret("123 456"))
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(try await root().attempts.resume() == nil)
  }

  @Test(arguments: [false, true])
  func `a sign-out leaves no step that was pending before a relaunch`(onlyHere: Bool) async throws {
    provider.answerSignIn(.success(.challenge(Challenge(kind: .smsCode, handle: Secret("first")))))
    let attempt = try root().attempts.begin(.password)
    attempt.submit(SignInInput([.userName: "ada", .password: "correct horse"]))
    await attempt.finished()
    let root = try root()
    if onlyHere { try await root.manager.clear() } else { try await root.manager.signOut() }
    #expect(try await self.root().attempts.resume() == nil)
  }
}
