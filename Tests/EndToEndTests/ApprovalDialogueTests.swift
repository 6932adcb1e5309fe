import AuthenticationKit
import AuthenticationTesting
import Synchronization
import Testing

@testable import AuthCTLCommands

/// A tap on another device: the provider is asked for it as time passes, while a line may be typed.
@Suite(.timeLimit(.minutes(10))) struct ApprovalDialogueTests {
  let provider = ScriptedAuthProvider()
  let clock = ManualClock()
  let root: MainRoot

  static let otp = Challenge(kind: .oneTimePassword, handle: Secret("otp"), format: .digits(6))
  static let push = Challenge(
    kind: .approval, destination: "Ada's phone", handle: Secret("push"),
    choices: [.init(id: "otp", kind: .oneTimePassword)], pollInterval: .seconds(5))

  init() throws {
    root = try MainRoot(.custom(provider)) {
      $0.storage = .inMemory
      $0.clock = ManualClock()
    }
  }

  private func signedIn() -> Result<SignInOutcome, AuthenticationError> {
    .success(.session(.sample(receivedAt: clock.now)))
  }

  /// Signs in; a line of nil is the end of the input, and after the last one nothing is typed.
  private func signIn(lines: [String?]) async throws -> User {
    let rest = Mutex(lines[...])
    let silence = Gate()
    silence.close()
    let dialogue = SignInDialogue(console: Console(isJSON: false), clock: clock) {
      if let line = rest.withLock({ $0.popFirst() }) { return line }
      await silence.pass()
      return nil
    }
    let input = SignInInput([.userName: "ada", .password: "correct horse"])
    return try await dialogue.signIn(at: root, by: .password, input)
  }

  /// The sign-in, while five seconds pass as often as it waits for them.
  private func signIn(lines: [String?], waiting times: Int) async throws -> User {
    async let user = signIn(lines: lines)
    for _ in 0..<times {
      await clock.waitForSleeper(wakingWithin: .seconds(5))
      clock.advance(by: .seconds(5))
    }
    return try await user
  }

  @Test func `the provider is asked every few seconds, and nothing needs to be typed`() async throws {
    provider.answerSignIn(.success(.challenge(Self.push)), .success(.challenge(Self.push)), signedIn())
    #expect(try await signIn(lines: [], waiting: 2).id == AuthSession.sample(receivedAt: clock.now).user.id)
    #expect(provider.challengeAnswers.count == 2)
  }

  @Test func `where the input has ended the step is left`() async throws {
    provider.answerSignIn(.success(.challenge(Self.push)))
    let error = await #expect(throws: AuthenticationError.self) { try await signIn(lines: [nil]) }
    #expect(error == .challengeRequired)
    #expect(provider.challengeAnswers.isEmpty)
  }

  @Test func `a line asks at once, and the end of the input after it leaves nothing`() async throws {
    provider.answerSignIn(.success(.challenge(Self.push)), .success(.challenge(Self.push)), signedIn())
    async let user = signIn(lines: ["", nil])
    await provider.waitForArrival(of: .signIn, count: 2)
    await clock.waitForSleeper(wakingWithin: .seconds(5))
    clock.advance(by: .seconds(5))
    _ = try await user
    #expect(provider.challengeAnswers.count == 2)
  }

  @Test func `a user who rejects the sign-in on the other device has declined, and no step is left to go on with`()
    async throws
  {
    provider.answerSignIn(.success(.challenge(Self.push)), .failure(.declined))
    let error = await #expect(throws: AuthenticationError.self) { try await signIn(lines: [], waiting: 1) }
    #expect(error == .declined)
    #expect(root.attempts.current?.state.isEnded != false)
  }

  @Test func `another factor may be chosen meanwhile, and the next line answers it`() async throws {
    provider.answerSignIn(.success(.challenge(Self.push)), .success(.challenge(Self.otp)), signedIn())
    _ = try await signIn(lines: [#"{"choose":"otp"}"#, "123456"])
    #expect(provider.challengeAnswers.map(\.challenge.kind) == [.approval, .oneTimePassword])
  }

  @Test func `a user who cancels before the approval has declined`() async throws {
    provider.answerSignIn(.success(.challenge(Self.push)))
    let error = await #expect(throws: AuthenticationError.self) { try await signIn(lines: ["cancel"]) }
    #expect(error == .declined)
    #expect(provider.challengeAnswers.isEmpty)
  }
}
