public import AuthenticationDomain

/// The sign-in of an app: the signed-in user, or the step that is on the screen, without any UI framework.
///
/// Intents go to the attempts; the session comes back only by the stream of states, so that a sign-out anywhere
/// shows here. Where there is one method, its first step is shown at once.
///
/// **When a sign-in is done**: an attempt that has stored its session ends after the root's action after each sign-in
/// (`MainRoot.Options.onSignIn`). Until then this model shows the step, with ``FlowStatus/isWorking``, and no ``user``;
/// then user and ``message`` at once. A session that was not made by an attempt shows as soon as it is stored.
///
/// **Only steps of the attempts show.** A challenge of a sign-in that code of the app asks for by itself
/// (`manager.signIn`) belongs to that code, which answers it: this model shows its own step.
///
/// ```swift
/// switch model.state {
/// case .unknown: break
/// case .storeLocked(let store): show(store)
/// case .signedOut(_, let step), .expired(_, let step): show(step)
/// case .signedIn(let session, _): show(session)
/// }
/// ```
public final class AuthenticationViewModel: Flow<AuthenticationViewModel.State> {
  /// Where it stands.
  public enum State: Sendable {
    /// Not known yet: show neither the sign-in nor the app's content.
    case unknown
    /// The store cannot be read now.
    case storeLocked(LockedStoreModel)
    /// No user is signed in, for this reason; the step says how to.
    case signedOut(SignOutReason, SignInStep)
    /// This user's session has expired and cannot be refreshed: the user signs in again.
    case expired(SessionSummary, SignInStep)
    /// A user is signed in; the second is the session as an attempt of this model made it, if one did.
    case signedIn(SessionModel, AuthSession?)
  }

  /// The session of the signed-in user, and the result of the last sign-out.
  public let session: SessionModel
  /// The form of the first method, which may be filled in before it is known whether a user is signed in.
  private var firstForm: SignInFormModel?
  private var completion: AuthSession?
  private var restoring: Task<Void, Never>?
  private var finishing: Task<Void, Never>?
  private var reading: Task<Void, Never>?
  private let onCompletion: @MainActor (AuthSession) -> Void
  private lazy var steps = StepSequence(in: flows) { [weak self] in
    self?.show($0)
  } end: { [weak self] in
    self?.end($0)
  }

  /// Follows the states until the model is released, and has the store read.
  ///
  /// - Parameters:
  ///   - flows: the methods to sign in with, and the session's states.
  ///   - session: the model of a session and its end; by default without the provider's part.
  ///   - onCompletion: called once for each attempt of this model that made a session. Closing a screen is the host's.
  public init(
    _ flows: FlowEnvironment, session: SessionModel? = nil,
    onCompletion: @escaping @MainActor (AuthSession) -> Void = { _ in }
  ) {
    self.session = session ?? SessionModel(in: flows)
    self.onCompletion = onCompletion
    firstForm = flows.attempts.methods.first.flatMap { SignInStep($0, in: flows).form }
    super.init(.unknown, in: flows)
    followSession()
    reading = Task { [control = flows.control] in await control.restore() }
  }

  /// Signs in with a user name and a password alone.
  ///
  /// - Parameters:
  ///   - useCase: signs in; signs up, too.
  ///   - control: publishes the states, and signs out.
  ///   - clock: the time; replace it in a test.
  public convenience init(
    useCase: any AuthenticationUseCase, control: any SessionControl, clock: any AuthenticationClock = SystemClock()
  ) {
    self.init(
      FlowEnvironment(
        attempts: SignInAttempts([.password], useCase: useCase, clock: clock), control: control, clock: clock))
  }

  /// That of the step on the screen; it works while an attempt, or a sign-out, is in progress.
  override var currentStatus: FlowStatus {
    let shown: FlowModel? =
      switch state {
      case .unknown: firstForm
      case .storeLocked(let store): store
      case .signedOut(_, let step), .expired(_, let step): step.model
      case .signedIn(let session, _): session
      }
    var status = shown?.status ?? FlowStatus()
    if shown !== session { status.isWorking = form?.isWorking ?? flows.attempts.current?.state.isWorking ?? false }
    // It is not said again after each try.
    if status.announcement == nil, status.failure == nil, !status.isWorking {
      status.announcement = noticeAnnouncement
    }
    return status
  }

  override func requestsFinished() async {
    await reading?.value
    show(flows.control.state)
    await restoring?.value
    await steps.step?.model?.finished()
    await finishing?.value
    await session.finished()
    show(flows.control.state)
  }

  /// Shows the known state of the session. A step that is on the screen stays, with its input.
  override func show(_ known: AuthenticationState) {
    switch known {
    case .unknown: break
    case .unavailable:
      if case .storeLocked = state { return } else { state = .storeLocked(LockedStoreModel(in: flows)) }
    case .challenged: if step == nil { leave(.absent) }
    case .signedOut(let reason): leave(reason)
    case .signedIn(let active) where active.freshness == .expired:
      state = .expired(SessionSummary(active), step ?? firstStep())
    case .signedIn(let active):
      if let attempt = unfinishedAttempt(of: active.session.user) { return wait(forEndOf: attempt) }
      // A step whose attempt has ended may not know it yet: user and message show in one change.
      if let step = steps.step {
        step.model?.catchUp()
        if steps.step == nil { return }
      }
      if !active.session.user.isSame(as: completion?.user) { completion = nil }
      session.show(known)
      if case .signedIn(_, completion) = state { return }
      state = .signedIn(session, completion)
    }
  }

  /// Shows a step in place of the one before.
  private func show(_ step: SignInStep) {
    switch state {
    case .signedOut(let reason, _): state = .signedOut(reason, step)
    case .expired(let summary, _): state = .expired(summary, step)
    case .unknown, .storeLocked, .signedIn: break
    }
  }

  private func end(_ completion: AuthSession?) {
    guard let completion else {
      // The list of methods, or the first step of the only one.
      if step != nil { _ = firstStep() }
      return
    }
    self.completion = completion
    show(flows.control.state)
    onCompletion(completion)
  }

  /// The attempt that has signed this user in, while the action after the sign-in still runs; nil once this model shows
  /// a session.
  private func unfinishedAttempt(of user: User) -> SignInAttempt? {
    if case .signedIn = state { return nil }
    guard let attempt = flows.attempts.current, !attempt.state.isEnded, user.isSame(as: attempt.session?.user) else {
      return nil
    }
    return attempt
  }

  /// The step, which follows the same attempt, is first to hear of its end.
  private func wait(forEndOf attempt: SignInAttempt) {
    guard finishing == nil else { return }
    let states = attempt.states()
    finishing = Task { [weak self] in
      for await _ in states {}
      await self?.steps.step?.model?.finished()
      guard let self else { return }
      finishing = nil
      show(flows.control.state)
    }
  }

  private func leave(_ reason: SignOutReason) {
    completion = nil
    switch state {
    case .signedOut(_, let step), .expired(_, let step): state = .signedOut(reason, step)
    case .unknown where restoring == nil: restorePendingStep(reason)
    case .unknown: break
    case .storeLocked where restoring == nil:
      state = .unknown
      restorePendingStep(reason)
    case .storeLocked, .signedIn: state = .signedOut(reason, firstStep())
    }
  }

  /// The challenge from before the app was closed is asked again, and nothing is sent for it.
  private func restorePendingStep(_ reason: SignOutReason) {
    restoring = Task { [weak self, flows] in
      var attempt: SignInAttempt?
      if !flows.restoresPendingStep {
        await flows.attempts.forgetPending()
      } else if self?.steps.step == nil {
        attempt = await flows.attempts.resume()
      }
      guard let self, case .unknown = state else { return }
      let restored = attempt.flatMap { SignInStep($0, in: flows, isRestored: true) }
      state = .signedOut(reason, steps.step ?? restored ?? firstStep())
      if let restored, steps.step == nil { steps.go(to: restored) }
      firstForm = nil
    }
  }

  /// A new step, so that nothing of a former sign-in stays on the screen.
  private func firstStep() -> SignInStep {
    let methods = flows.attempts.methods
    let first: SignInStep =
      if methods.count != 1 {
        .methods(MethodListModel(in: flows))
      } else if let form = firstForm {
        .form(form)
      } else {
        SignInStep(methods[0], in: flows)
      }
    firstForm = nil
    steps.go(to: first)
    return first
  }
}

extension AuthenticationViewModel {
  /// The step that is shown; nil while a user is signed in, or that is not known.
  public var step: SignInStep? {
    switch state {
    case .signedOut(_, let step), .expired(_, let step): step
    case .unknown, .storeLocked, .signedIn: nil
    }
  }

  /// The signed-in user, also with an expired session; nil if no user is signed in, or if that is not known.
  public var user: User? {
    switch state {
    case .signedIn(let session, _): session.summary?.user
    case .expired(let summary, _): summary.user
    case .unknown, .storeLocked, .signedOut: nil
    }
  }

  /// The typed user name; kept when an attempt fails.
  public var userName: String {
    get { form?[.userName] ?? "" }
    set { form?[.userName] = newValue }
  }

  /// The typed password; emptied when it was sent.
  public var password: String {
    get { form?[.password] ?? "" }
    set { form?[.password] = newValue }
  }

  /// Signs in with the input. Does nothing while an attempt is in progress.
  public func signIn(_ input: SignInInput = SignInInput()) {
    submittableForm()?.submit(input, createsAccount: false)
  }

  /// Creates an account with the input, if the provider supports it. Does nothing while an attempt is in progress.
  public func signUp(_ input: SignInInput = SignInInput()) {
    submittableForm()?.submit(input, createsAccount: true)
  }

  private var form: SignInFormModel? { step?.form ?? firstForm }

  /// A form that is sent before it is on the screen leads on all the same.
  private func submittableForm() -> SignInFormModel? {
    if let firstForm { steps.go(to: .form(firstForm)) }
    return form
  }

  /// Continues with a method of the list.
  public func choose(_ method: SignInMethod) {
    if step != nil, flows.attempts.methods.contains(method) { steps.start(method) }
  }

  /// Shows the form to create an account.
  ///
  /// - Parameter model: the form; by default one for a user name and a password.
  public func createAccount(_ model: SignInFormModel? = nil) {
    let new = model ?? SignInFormModel(.password, createsAccount: true, in: flows)
    if step != nil { steps.go(to: .form(new), backTo: form) }
  }

  /// Cancels the attempt in progress, and shows the form that led to it, or the list of methods; a restored step is
  /// removed.
  public func startAgain() {
    if step == nil { flows.attempts.current?.cancel() } else { steps.leave() }
  }

  /// Cancels the request in flight, immediately; a form stays as it is.
  public func cancel() {
    if let form, form.isWorking { form.cancel() } else if step != nil { startAgain() }
  }

  /// Signs out, as ``SessionModel/signOut(scope:losing:)`` does.
  public func signOut(losing loss: SignOutLoss? = nil) { session.signOut(losing: loss) }

  /// A greeting after a sign-in by an attempt of this model; nil after a restart.
  public var message: String? {
    // The session's own model may know of the next user first.
    guard case .signedIn(let session, let completion?) = state, completion.user.isSame(as: session.summary?.user) else {
      return nil
    }
    if completion.user.isNew { return words("session.greeting.new") }
    return completion.user.name.map { words("session.greeting.named", .text($0)) } ?? words("session.greeting.back")
  }

  /// Why the user must sign in again, or the result of a sign-out, above the form; nil if there is nothing to show.
  ///
  /// For a reason that the provider names (``SignOutReason/providerCode``) an app can have a sentence under the key
  /// `session.ended.provider.` and that name.
  public var notice: String? {
    switch state {
    case .signedOut(let reason, _) where reason.failure == .userDisabled:
      reason.failure.map { words.sentence(for: $0) }
    case .signedOut(let reason, _) where reason.providerCode.map({ words.has(.ended(by: $0)) }) ?? false:
      reason.providerCode.map { words(.ended(by: $0)) }
    case .signedOut(.rejected, _), .signedOut(.ambiguousLoss, _), .signedOut(.credentialRevoked, _), .expired:
      words("session.ended.notice")
    case .signedOut(.elsewhere, _): words("session.ended.elsewhere")
    case .signedOut(.requested, _), .signedOut(.accountDeleted, _): session.remoteSentence
    default: nil
    }
  }

  /// The ``notice``, said again after each failure.
  package var noticeAnnouncement: Announcement? {
    notice.map { Announcement($0, turn: flows.erasureFailure?.turn ?? 0) }
  }
}

extension WordKey {
  fileprivate static func ended(by providerCode: String) -> Self { Self("session.ended.provider.\(providerCode)") }
}

/// A password is being typed in here.
extension AuthenticationViewModel: Redacted {}
