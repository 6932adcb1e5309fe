import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// Everything that could hold a secret, and every way to print it. The canaries are the only secrets used.
@Suite struct SecretTests {
  private static let canary = "c4n4ry"

  private static func values() throws -> [any Sendable] {
    let secret = Secret(canary)
    let access = try AccessToken(secret, receivedAt: ManualClock().now, lifetime: .seconds(60))
    let tokens = SessionTokens(access: access, refresh: secret, identity: secret)
    let session = AuthSession(user: .ada, tokens: tokens)
    let challenge = Challenge(kind: .smsCode, destination: "•••• 42", handle: secret)
    let revocation = PendingRevocation(tokens: tokens, queuedAt: ManualClock().now)
    let record = SessionRecord(session: session, pendingRevocations: [revocation])
    let active = ActiveSession(session: session, freshness: .stale, unsaved: .full)
    var machine = SessionMachine()
    _ = machine.handle(.storeRead(.success(record), at: ManualClock().now))
    return [
      secret, [secret], ["key": secret], access, secret,
      secret, tokens, session, challenge,
      ChallengeAnswer(to: challenge, code: secret), PasswordCredentials(userName: "ada", password: secret),
      revocation, record, active, AuthenticationState.signedIn(active), AuthenticationState.challenged(challenge),
      SignInOutcome.session(session), SignInOutcome.challenge(challenge), machine,
      AuthenticationError.challengeRequired(challenge),
      SessionMachine.Effect.save(record), SessionMachine.Effect.refresh(session, generation: 1),
      Result<AuthSession, AuthenticationError>.success(session),
    ]
  }

  // origin B7, failure row 37
  @Test func `nothing that can be printed shows a secret`() throws {
    for value in try Self.values() {
      for text in Self.texts(of: value) {
        #expect(!text.contains(Self.canary), "\(type(of: value))")
      }
    }
  }

  @Test func `a manager that is printed shows no secret`() async throws {
    let bench = Bench()
    let access = try AccessToken(Secret(Self.canary), receivedAt: bench.clock.now)
    try await bench.signIn(as: AuthSession(user: .ada, tokens: SessionTokens(access: access)))
    for text in Self.texts(of: bench.manager) { #expect(!text.contains(Self.canary)) }
    for text in Self.texts(of: bench.manager.state) { #expect(!text.contains(Self.canary)) }
  }

  @Test func `a secret prints as a placeholder, and has one way out`() {
    let secret = Secret(Self.canary)
    #expect(secret.description == "<redacted>")
    #expect(String(reflecting: secret) == "<redacted>")
    #expect(String(reflecting: secret) == "<redacted>")
    #expect("\(secret)" == "<redacted>")
    #expect(Mirror(reflecting: secret).children.isEmpty)
    #expect(secret.reveal() == "c4n4ry")
  }

  @Test func `an error's words are its code, its message, its suggestion and its cause`() {
    let error = AuthenticationError(
      .unreachable, "No connection.", suggestion: "Try again.", cause: .init(domain: "POSIX", code: 61))
    #expect(error.description == "unreachable: No connection. Try again. [POSIX 61]")
  }

  private static func texts(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    var printed = ""
    print(value, to: &printed)
    debugPrint(value, to: &printed)
    return [dumped, printed, String(describing: value), String(reflecting: value), "\(value)"] + mirrored(value)
  }

  private static func mirrored(_ value: Any) -> [String] {
    Mirror(reflecting: value).children.flatMap { child in
      ["\(child.value)", String(reflecting: child.value)] + mirrored(child.value)
    }
  }
}
