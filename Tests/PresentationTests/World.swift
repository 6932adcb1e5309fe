import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting

/// An app in front of a provider that a test scripts.
@MainActor
struct World {
  let clock: ManualClock
  let provider: ScriptedAuthProvider
  let manager: AuthManager
  let pending: any PendingSignInStore
  let flows: FlowEnvironment

  init(
    _ methods: [SignInProcess] = [.password, .phoneCode, .emailLink], clock: ManualClock = ManualClock(),
    pending: any PendingSignInStore = InMemoryPendingSignIns(), store: ScriptedSessionStore = ScriptedSessionStore(),
    words: Words = Words()
  ) {
    let provider = ScriptedAuthProvider()
    let manager = AuthManager(provider: provider, store: store, clock: clock)
    self.clock = clock
    self.provider = provider
    self.manager = manager
    self.pending = pending
    let attempts = SignInAttempts(
      methods, useCase: manager.addValidation(), manager: manager, pending: pending,
      links: SignInLink(host: "app.example", path: "/in"),
      clock: clock)
    flows = FlowEnvironment(attempts: attempts, control: manager, clock: clock, words: words)
  }

  /// An attempt at this challenge.
  func attempt(at challenge: Challenge, of method: SignInMethod = .phoneCode) async throws -> SignInAttempt {
    provider.answerSignIn(.success(.challenge(challenge)))
    let attempt = try flows.attempts.begin(method)
    attempt.submit(
      SignInInput([
        .phoneNumber: "+4930123456", .emailAddress: "ada@example.com", .userName: "ada", .password: "correct horse",
      ]))
    await attempt.finished()
    return attempt
  }

  func answer(_ results: Result<SignInOutcome, AuthenticationError>...) {
    for result in results { provider.answerSignIn(result) }
  }

  func session(of user: User = .ada) -> SignInOutcome { .session(.sample(of: user, receivedAt: clock.now)) }
}

extension Challenge {
  static func sms(
    _ handle: String = "handle", to destination: String = "•••• 42", lifetime: Duration? = .seconds(300),
    resendDelay: Duration? = .seconds(60)
  ) -> Challenge {
    Challenge(
      kind: .smsCode, destination: destination, handle: Secret(handle), format: .digits(6), lifetime: lifetime,
      resendDelay: resendDelay)
  }
}

extension AuthenticationViewModel {
  enum Shown { case unknown, storeLocked, signedOut, expired, signedIn }

  /// Which screen a host shows.
  var shown: Shown {
    switch state {
    case .unknown: .unknown
    case .storeLocked: .storeLocked
    case .signedOut: .signedOut
    case .expired: .expired
    case .signedIn: .signedIn
    }
  }
}
