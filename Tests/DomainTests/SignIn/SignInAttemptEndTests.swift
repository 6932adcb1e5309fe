import AuthenticationDomain
import AuthenticationDomainTesting
import Dispatch
import Testing

/// Attempts that are cancelled while something else is just about to end them.
@Suite(.timeLimit(.minutes(10))) struct SignInAttemptEndTests {
  @Test func `an attempt that is cancelled while its answer fails ends as cancelled, and leaves no step`()
    async throws
  {
    let (useCase, pending) = (UncancellableUseCase(), InMemoryPendingSignIns())
    let attempts = SignInAttempts([.phoneCode], useCase: useCase, pending: pending, clock: ManualClock())
    let attempt = try attempts.begin(.phoneCode)
    attempt.submit(.phone)
    try #require(await attempt.settled() == .challenged(.sms, nil))
    useCase.gate.close()
    attempt.answer(code: Secret("123456"))
    await useCase.gate.waitForArrivals(2)
    attempt.cancel()
    useCase.gate.open()
    #expect(await attempt.settled() == .ended(.cancelled))
    #expect(await pending.pending() == nil)
  }

  // origin C3
  @Test func `an attempt that is cancelled while its session is being stored says that the person is signed in`()
    async throws
  {
    let (store, provider) = (SlowStore(), ScriptedAuthProvider())
    provider.answerSignIn(.success(.session(.sample(receivedAt: .noon))))
    let manager = AuthManager(provider: provider, store: store, clock: ManualClock())
    let attempt = try SignInAttempts([.password], useCase: manager).begin(.password)
    attempt.submit(.password)
    await store.isSaving.waitForArrivals(1)
    attempt.cancel()
    store.open()
    #expect(await attempt.settled() == .ended(.signedIn(.ada)))
    #expect(manager.state.user == .ada)
  }

  // origin C6
  @Test func `a sheet that does not notice the end of its attempt holds nobody, and nothing is sent`() async throws {
    let sheet = Gate()
    sheet.close()
    let bench = AttemptBench([
      SignInProcess(.apple) { _ throws(AuthenticationError) in
        await Task { await sheet.pass() }.value
        return PasswordCredentials(userName: "ada", password: Secret("handed over"))
      }
    ])
    let attempt = try bench.attempts.begin(.apple)
    attempt.submit()
    await sheet.waitForArrivals(1)
    attempt.cancel()
    #expect(await attempt.settled() == .ended(.cancelled))
    sheet.open()
    #expect(bench.provider.messages == [])
  }
}

/// Asks for a code at first; then every code is wrong, whether or not the caller has left.
private struct UncancellableUseCase: AuthenticationUseCase {
  let gate = Gate()

  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    await Task { await gate.pass() }.value
    throw credentials is ChallengeAnswer ? .wrongCode : .challengeRequired(.sms)
  }
}

/// A store whose writes block, as a keychain prompt does, until it is opened.
private final class SlowStore: SessionStore {
  let isSaving = Gate()
  private let isOpen = DispatchSemaphore(value: 0)

  func open() { isOpen.signal() }

  func read() throws(AuthenticationError) -> SessionRecord? { nil }

  func save(_ record: SessionRecord) throws(AuthenticationError) {
    Task.detached { [isSaving] in await isSaving.pass() }
    isOpen.wait()
    isOpen.signal()
  }

  func delete() throws(AuthenticationError) {}
}
