import AuthenticationDomain
import AuthenticationDomainTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct DecoratorTests {
  // origin A6
  @Test(arguments: ["", " ", "\t", "\n \u{A0}"])
  func `a blank user name is refused before anything is sent`(name: String) async throws {
    try await expectRefusal(.blankUserName, of: .password(userName: name, password: Secret("correct horse")))
  }

  // origin A6
  @Test func `an empty password is refused before anything is sent`() async throws {
    try await expectRefusal(.emptyPassword, of: .password(userName: "ada", password: Secret("")))
  }

  @Test(arguments: [
    "", "+", "+123456", "+1234567890123456", "0123456789", "+0123456789", "+12345a7", "+１２３４５６７", "12345678",
  ])
  func `a malformed phone number is refused before anything is sent`(number: String) async throws {
    try await expectRefusal(.invalidPhoneNumber, of: .phone(number))
  }

  @Test func `an empty code is refused before anything is sent`() async throws {
    let challenge = Challenge(kind: .smsCode, handle: Secret("handle"))
    try await expectRefusal(.emptyCode, of: .answer(to: challenge, code: Secret("")))
  }

  @Test(arguments: ["+1234567", "+123456789012345"])
  func `a phone number in E.164 form reaches the provider`(number: String) async throws {
    let bench = Bench()
    bench.provider.answerSignIn(.success(.session(bench.session())))
    _ = try await bench.manager.addValidation().signIn(with: .phone(number))
    #expect(bench.provider.messages == [.signIn(.phoneCode)])
  }

  @Test func `a password of white space is the user's own business`() async throws {
    let bench = Bench()
    bench.provider.answerSignIn(.success(.session(bench.session())))
    let user = try await bench.manager.addValidation().login(username: "ada", password: " ")
    #expect(user == .ada)
  }

  // origin A7
  @Test func `an interceptor runs before the caller hears of the success`() async throws {
    let bench = Bench()
    let log = Log()
    bench.provider.answerSignIn(.success(.session(bench.session())))
    let user = try await bench.manager
      .intercept { user in log.note("first \(user.id), signed in: \(bench.manager.state.user == user)") }
      .intercept { user in log.note("second \(user.id)") }
      .signIn(with: .sample)
    log.note("caller \(user.id)")
    #expect(log.entries == ["first ada, signed in: true", "second ada", "caller ada"])
  }

  // origin A7
  @Test func `an interceptor does not run when the sign-in fails`() async {
    let bench = Bench()
    let log = Log()
    bench.provider.answerSignIn(.failure(.invalidCredentials))
    let useCase = bench.manager.addValidation().intercept { _ in log.note("ran") }
    await #expect(throws: AuthenticationError.invalidCredentials) { try await useCase.signIn(with: .sample) }
    await #expect(throws: AuthenticationError.blankUserName) { try await useCase.login(username: "", password: "x") }
    #expect(log.entries == [])
  }

  @Test func `signing up is validated and intercepted too`() async throws {
    let bench = Bench()
    let log = Log()
    bench.provider.answerSignIn(.success(.session(bench.session(of: .grace))))
    let useCase = bench.manager.addValidation().intercept { user in log.note(user.id) }
    await #expect(throws: AuthenticationError.emptyPassword) {
      try await useCase.signUp(with: .password(userName: "grace", password: Secret("")))
    }
    #expect(bench.provider.messages == [])
    #expect(try await useCase.signUp(with: .sample) == .grace)
    #expect(bench.provider.messages == [.signUp(.password)])
    #expect(log.entries == ["grace"])
  }

  @Test func `an interceptor may sign out again`() async throws {
    let bench = Bench()
    bench.provider.answerSignIn(.success(.session(bench.session())))
    let useCase = bench.manager.intercept { _ in try? await bench.manager.signOut() }
    _ = try await useCase.signIn(with: .sample)
    #expect(bench.manager.state == .signedOut(.requested))
  }

  private func expectRefusal(_ error: AuthenticationError, of credentials: some Credentials) async throws {
    let log = Log()
    let useCase = Credulous(log: log).addValidation()
    await #expect(throws: error) { try await useCase.signIn(with: credentials) }
    await #expect(throws: error) { try await useCase.signUp(with: credentials) }
    #expect(log.entries == [])
  }
}

/// Takes any request, so that nothing but the decorator refuses it.
private struct Credulous: AuthenticationUseCase {
  let log: Log

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    log.note("signed in")
    return .session(.sample(receivedAt: .noon))
  }
}

private final class Log: Sendable {
  private let lines = Mutex<[String]>([])
  var entries: [String] { lines.withLock { $0 } }
  func note(_ line: String) { lines.withLock { $0.append(line) } }
}
