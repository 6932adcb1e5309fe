import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Foundation
import Observation
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10))) struct AuthenticationViewModelTests {
  let clock = ManualClock()
  let provider = ScriptedAuthProvider()
  let store = ScriptedSessionStore()
  let manager: AuthManager
  private let made = Made()

  init() { manager = AuthManager(provider: provider, store: store, clock: clock) }

  /// Made when a test first asks for it, which may prepare the store before.
  var model: AuthenticationViewModel {
    if let model = made.model { return model }
    let model = AuthenticationViewModel(useCase: manager.addValidation(), control: manager)
    made.model = model
    return model
  }

  private func type(_ userName: String, _ password: String) {
    model.userName = userName
    model.password = password
  }

  // origin A8
  @Test func `a new user is welcomed as one`() async {
    provider.answerSignIn(.success(.session(.sample(of: .grace, receivedAt: clock.now))))
    type("grace", "battery staple")
    model.signIn()
    await model.finished()
    #expect(model.message == "Welcome, new user!")
    #expect(model.user == .grace)
    #expect(model.shown == .signedIn)
    #expect(model.failure == nil)
  }

  @Test func `a returning user is welcomed back by name`() async {
    provider.answerSignIn(.success(.session(.sample(of: .ada, receivedAt: clock.now))))
    type("ada", "correct horse")
    model.signIn()
    await model.finished()
    #expect(model.message == "Welcome back, \u{2068}Ada Lovelace\u{2069}!")
  }

  @Test func `user and message come in one change, also where the session is heard of before the attempt's end`()
    async
  {
    provider.answerSignIn(.success(.session(.sample(of: .ada, receivedAt: clock.now))))
    provider.hold(.signIn)
    await model.finished()
    type("ada", "correct horse")
    model.signIn()
    await provider.waitForArrival(of: .signIn)
    // The tasks that follow the session and the attempt wait for them by now.
    for _ in 0..<20 { await Task.yield() }
    let seen = SeenTogether(model)
    provider.release(.signIn)
    holdMainActor(until: { [attempt = model.flows.attempts.current] in attempt?.state.isEnded ?? true })
    await model.finished()
    seen.note()
    #expect(seen.pairs.last?.user == .ada && seen.pairs.last?.message != nil)
    #expect(seen.pairs.allSatisfy { ($0.user == nil) == ($0.message == nil) })
  }

  @Test func `a restart shows the user without greeting anybody`() async throws {
    store.replace(SessionRecord(session: .sample(of: .grace, receivedAt: clock.now)))
    let model = model
    await model.waited { model.shown == .signedIn }
    #expect(model.user == .grace)
    #expect(model.message == nil)
  }

  // origin A8: a raw error text never reaches the user.
  @Test func `a wrong password is told in words that name neither the password nor the answer`() async {
    provider.answerSignIn(.failure(.invalidCredentials))
    type("ada", "hunter2-canary")
    model.signIn()
    await model.finished()
    #expect(model.failure?.error == .invalidCredentials)
    #expect(model.failureSentence == "The user name or the password is not correct. Check both, and try again.")
    #expect(model.user == nil)
    #expect(model.message == nil)
  }

  // origin A6
  @Test func `a blank user name is refused before anything is sent`() async {
    type("  ", "secret")
    model.signIn()
    await model.finished()
    #expect(model.problems == [.blankUserName])
    #expect(model.failureSentence == "Enter your user name.")
    #expect(provider.messages.isEmpty)
  }

  @Test func `the password is gone after a success`() async {
    provider.answerSignIn(.success(.session(.sample(receivedAt: clock.now))))
    type("ada", "correct horse")
    model.signIn()
    await model.finished()
    #expect(model.password.isEmpty)
  }

  @Test func `the password is gone after a failure and the user name is kept to correct it`() async {
    provider.answerSignIn(.failure(.invalidCredentials))
    type("ada", "wrong")
    model.signIn()
    await model.finished()
    #expect(model.password.isEmpty)
    #expect(model.userName == "ada")
  }

  @Test func `a failure is gone once the next attempt begins`() async {
    provider.answerSignIn(
      .failure(.invalidCredentials), .success(.session(.sample(of: .ada, receivedAt: clock.now))))
    type("ada", "wrong")
    model.signIn()
    await model.finished()
    #expect(model.failure?.error == .invalidCredentials)
    provider.hold(.signIn)
    type("ada", "correct horse")
    model.signIn()
    #expect(model.failure == nil)
    await provider.waitForArrival(of: .signIn)
    provider.release(.signIn)
    await model.finished()
    #expect(model.failure == nil)
  }

  @Test func `a second tap while signing in sends nothing more`() async {
    provider.answerSignIn(.success(.session(.sample(receivedAt: clock.now))))
    provider.hold(.signIn)
    type("ada", "correct horse")
    model.signIn()
    await provider.waitForArrival(of: .signIn)
    #expect(model.isWorking)
    model.signIn()
    model.signOut()
    provider.release(.signIn)
    await model.finished()
    #expect(!model.isWorking)
    #expect(provider.messages == [.signIn(.password)])
    #expect(model.shown == .signedIn)
  }

  @Test func `giving up an attempt changes nothing and shows no failure`() async {
    provider.answerSignIn(.success(.session(.sample(receivedAt: clock.now))))
    provider.hold(.signIn)
    await manager.restore()
    type("ada", "correct horse")
    model.signIn()
    await provider.waitForArrival(of: .signIn)
    model.cancel()
    provider.release(.signIn)
    await model.finished()
    #expect(model.user == nil)
    #expect(model.failure == nil)
    #expect(!model.isWorking)
    #expect(store.record?.session == nil)
  }

  // origin C3
  @Test(arguments: [true, false])
  func `giving up an attempt ends it at once, whatever a use case does`(isOfApp: Bool) async {
    let gate = Gate()
    gate.close()
    provider.answerSignIn(.success(.session(.sample(receivedAt: clock.now))))
    provider.hold(.signIn)
    let model = isOfApp ? AuthenticationViewModel(useCase: Deaf(gate: gate), control: manager) : model
    model.userName = "ada"
    model.password = "correct horse"
    model.signIn()
    if isOfApp { await gate.waitForArrivals(1) } else { await provider.waitForArrival(of: .signIn) }
    model.cancel()
    await model.finished()
    #expect(!model.isWorking)
    #expect(model.failure == nil)
    #expect(model.shown == .signedOut)
    gate.open()
    provider.release(.signIn)
  }

  @Test func `the failure of a cancelled attempt is not shown`() async {
    let gate = Gate()
    gate.close()
    let model = AuthenticationViewModel(useCase: Deaf(gate: gate, refusal: .invalidCredentials), control: manager)
    model.userName = "ada"
    model.password = "correct horse"
    model.signIn()
    await gate.waitForArrivals(1)
    model.cancel()
    gate.open()
    await model.finished()
    #expect(model.failure == nil)
  }

  @Test func `a model that is made by hand restores by itself`() async {
    let control = Quiet(.signedOut(.requested))
    let model = AuthenticationViewModel(useCase: control, control: control)
    await model.finished()
    #expect(control.restored.arrivals == 1)
  }

  @Test func `a test that is cancelled no longer waits for a screen`() async {
    let model = model
    let wait = Task { await model.waited { model.shown == .signedIn } }
    await model.waited { model.shown == .signedOut }
    wait.cancel()
    await wait.value
  }

  @Test func `a sign-out elsewhere in the app shows here`() async throws {
    provider.answerSignIn(.success(.session(.sample(of: .grace, receivedAt: clock.now))))
    type("grace", "battery staple")
    model.signIn()
    await model.finished()
    try await manager.signOut()
    await model.waited { model.shown == .signedOut }
    #expect(model.user == nil)
    #expect(model.message == nil)
  }

  @Test func `two screens show the same user`() async {
    let other = AuthenticationViewModel(useCase: manager, control: manager)
    provider.answerSignIn(.success(.session(.sample(of: .ada, receivedAt: clock.now))))
    type("ada", "correct horse")
    model.signIn()
    await model.finished()
    await other.waited { other.user == .ada }
    #expect(other.message == nil)
  }

  @Test func `a session the provider refuses to refresh asks for a new sign-in`() async {
    store.replace(SessionRecord(session: .sample(receivedAt: clock.now, lifetime: .seconds(60))))
    provider.answerRefresh(.failure(.sessionRejected))
    clock.advance(by: .seconds(120))
    _ = try? await manager.validSession()
    await model.waited { model.notice != nil }
    #expect(model.shown == .signedOut)
    #expect(model.notice == "Your session has ended. Sign in again.")
  }

  @Test func `a session restored while offline is shown as stale`() async {
    store.replace(SessionRecord(session: .sample(receivedAt: clock.now, lifetime: .seconds(60))))
    clock.advance(by: .seconds(120))
    await model.waited { model.shown == .signedIn }
    #expect(model.session.summary?.freshness == .stale)
  }

  @Test func `a session that has expired and cannot be refreshed shows the form, and says whose it was`() async {
    store.replace(
      SessionRecord(session: .sample(receivedAt: clock.now, lifetime: .seconds(60), canRefresh: false)))
    clock.advance(by: .seconds(120))
    await model.waited { model.shown == .expired }
    #expect(model.user == .ada)
    #expect(model.notice == "Your session has ended. Sign in again.")
    #expect(model.step?.model is SignInFormModel)
  }

  @Test func `a full disk is told while the user stays signed in`() async {
    let full = AuthenticationError(.storageUnavailable, "No space.")
    store.failWrites(with: full)
    provider.answerSignIn(.success(.session(.sample(of: .ada, receivedAt: clock.now))))
    type("ada", "correct horse")
    model.signIn()
    await model.finished()
    #expect(model.shown == .signedIn)
    #expect(model.failureSentence == "The secure storage of this device cannot be used right now. Try again.")
  }

  @Test func `a locked store shows neither the form nor the content`() async {
    store.failReads(with: AuthenticationError(.storageUnavailable, "Locked."))
    let model = model
    await model.waited { model.shown != .unknown }
    #expect(model.shown == .storeLocked)
    #expect(model.failure?.error == .storageUnavailable)
    store.failReads(with: nil)
    guard case .storeLocked(let locked) = model.state else { return }
    locked.retry()
    await model.waited { model.shown == .signedOut }
    #expect(model.failure == nil, "what was wrong with the store is no longer")
  }

  @Test func `a greeting is not shown to the next user`() async throws {
    provider.answerSignIn(
      .success(.session(.sample(of: .ada, receivedAt: clock.now))),
      .success(.session(.sample(2, of: .grace, receivedAt: clock.now))))
    type("ada", "correct horse")
    model.signIn()
    await model.finished()
    try await manager.signIn(with: .password(userName: "grace", password: Secret("battery staple")))
    await model.waited { model.user == .grace && model.completionOfState == nil }
    #expect(model.message == nil)
  }

  @Test func `a greeting is not shown to the next user, not even before the model has seen the new state`() async {
    let control = ScriptedAuthManager(.signedOut(.absent))
    control.answerSignIn(.success(.ada))
    control.hold(.signIn)
    let flows = FlowEnvironment(
      attempts: SignInAttempts([.password], useCase: control, clock: clock), control: control, clock: clock)
    let late = UnheardControl(control)
    let session = SessionModel(in: flows)
    let model = AuthenticationViewModel(
      FlowEnvironment(attempts: flows.attempts, control: late, clock: clock), session: session)
    model.userName = "ada"
    model.password = "correct horse"
    model.signIn()
    control.set(.signedIn(ActiveSession(session: .sample(of: .ada, receivedAt: clock.now))))
    control.release(.signIn)
    await model.finished()
    #expect(model.message == "Welcome back, \u{2068}Ada Lovelace\u{2069}!")
    control.set(.signedIn(ActiveSession(session: .sample(2, of: .grace, receivedAt: clock.now))))
    await session.waited { session.summary?.user == .grace }
    #expect(model.message == nil)
  }

  @Test func `a password that is being typed is in no dump`() {
    type("ada", "canary-password")
    var text = "\(model) \(String(reflecting: model))"
    dump(model, to: &text)
    #expect(!text.contains("canary-password"))
  }

  @Test func `a second step is asked for and answered`() async throws {
    let challenge = Challenge(kind: .smsCode, destination: "•• 42", handle: Secret("handle"))
    provider.answerSignIn(.success(.challenge(challenge)), .success(.session(.sample(of: .ada, receivedAt: clock.now))))
    type("ada", "correct horse")
    model.signIn()
    await model.finished()
    #expect(model.failure == nil)
    guard case .code(let step) = model.step else {
      Issue.record("No code is asked for.")
      return
    }
    #expect(step.entry?.challenge.destination == "•• 42")
    step.code = "123 456"
    step.submit()
    await model.finished()
    #expect(model.user == .ada)
    #expect(model.step == nil)
  }

  @Test func `an account can be created where the provider can`() async {
    provider.answerSignIn(.success(.session(.sample(of: .grace, receivedAt: clock.now))))
    type("grace", "battery staple")
    model.signUp()
    await model.finished()
    #expect(provider.messages == [.signUp(.password)])
    #expect(model.message == "Welcome, new user!")
  }

  @Test func `a screen that is closed is forgotten`() async {
    var closed: AuthenticationViewModel? = AuthenticationViewModel(useCase: manager, control: manager)
    weak let forgotten = closed
    closed = nil
    #expect(forgotten == nil)
  }
}

@MainActor
private final class Made {
  var model: AuthenticationViewModel?
}

/// Ignores cancellation.
private struct Deaf: AuthenticationUseCase {
  let gate: Gate
  var refusal: AuthenticationError?

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    await Task { await gate.pass() }.value
    if let refusal { throw refusal }
    return .session(.sample(receivedAt: .distantPast))
  }
}

/// Has the state of another, and reports no change of it.
private struct UnheardControl: SessionControl {
  let upstream: ScriptedAuthManager
  init(_ upstream: ScriptedAuthManager) { self.upstream = upstream }
  var state: AuthenticationState { upstream.state }
  func states() -> AsyncStream<AuthenticationState> { AsyncStream { $0.finish() } }
  func restore() async -> AuthenticationState { state }
  func signOut(scope: SignOutScope, losing loss: SignOutLoss?) async throws(AuthenticationError) {}
}

/// Has a state that it does not publish; refuses every sign-in.
private struct Quiet: SessionControl, AuthenticationUseCase {
  let state: AuthenticationState
  let restored = Gate()
  init(_ state: AuthenticationState) { self.state = state }
  func states() -> AsyncStream<AuthenticationState> { AsyncStream { $0.finish() } }
  func restore() async -> AuthenticationState {
    await restored.pass()
    return state
  }
  func signOut(scope: SignOutScope, losing loss: SignOutLoss?) async throws(AuthenticationError) {}
  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    throw .invalidCredentials
  }
}

extension AuthenticationViewModel {
  /// The facts that an app finds besides the shown session.
  fileprivate var completionOfState: AuthSession? {
    if case .signedIn(_, let completion) = state { completion } else { nil }
  }
}

/// Blocks the main actor, which receives the events of that time afterwards, in their order.
private func holdMainActor(until isDone: () -> Bool) { while !isDone() { sched_yield() } }

/// The user and the message of a model before each of its changes.
@MainActor private final class SeenTogether {
  private(set) var pairs: [(user: User?, message: String?)] = []
  private let model: AuthenticationViewModel

  init(_ model: AuthenticationViewModel) {
    self.model = model
    note()
  }

  func note() {
    let pair = withObservationTracking {
      (model.user, model.message)
    } onChange: {
      MainActor.assumeIsolated { self.note() }
    }
    pairs.append(pair)
  }
}
