public import AuthenticationDomain
public import Observation

/// Asks for the code of an attempt: one that was sent, one of an authenticator app, a recovery code. Or waits for the
/// link that was sent, which belongs to the attempt that asked for it.
///
/// There is none without an attempt that waits for it.
///
/// ```swift
/// if case .code(let model) = SignInStep(attempt, in: flows) {
///   model.code = typed
///   model.submit()
///   // Or the system passes a link to the app:
///   await model.open(Secret(url.absoluteString))
/// }
/// ```
@Observable
public final class CodeEntryModel: Flow<CodeEntryModel.State> {
  /// Where it stands.
  public enum State: Sendable, Equatable, StepState {
    /// The user types it, or opens the link.
    case editing(CodeEntry)
    /// It was sent to the provider.
    case verifying(CodeEntry)
    /// Another one was asked for; that it was sent is not said before the response.
    case sending(CodeEntry)
    /// The code has expired: another one may be sent, or the flow begins again.
    case expired(CodeEntry)
    /// Too many wrong ones: none is accepted before the deadline; nil if only a new attempt helps.
    case spent(until: Deadline?)
    /// The provider asks for another step.
    case next(Challenge)
    /// Signed in.
    case done(AuthSession)
    /// The attempt has ended without a session.
    case ended
  }

  /// Whether a complete code is sent without a submit; a page that does so says it (WCAG 2.2, 3.2.2).
  public var submitsByItself = false

  private let attempt: SignInAttempt
  /// A link is opened, which may begin another attempt in place of this one.
  private var isOpening = false

  /// Nil if the attempt does not wait for an answer.
  ///
  /// - Parameter isRestored: whether it was pending when the app was closed.
  package convenience init?(_ attempt: SignInAttempt, in flows: FlowEnvironment, isRestored: Bool = false) {
    guard let challenge = attempt.state.challenge else { return nil }
    let entry = CodeEntry(challenge, of: attempt, isRestored: isRestored, by: flows.clock)
    self.init(.editing(entry), of: attempt, in: flows)
    follow(attempt)
    watchExpiry()
  }

  /// Follows nothing.
  package init(_ state: State, of attempt: SignInAttempt, in flows: FlowEnvironment) {
    self.attempt = attempt
    super.init(state, in: flows)
  }

  /// The input; nil after its end.
  package var entry: CodeEntry? {
    switch state {
    case .editing(let entry), .verifying(let entry), .sending(let entry), .expired(let entry): entry
    case .spent, .next, .done, .ended: nil
    }
  }

  /// As typed or pasted. Input during a request in flight is dropped.
  public var code: String {
    get { entry?.text ?? "" }
    set {
      guard case .editing(var entry) = state else { return }
      entry.text = newValue
      let code = submitsByItself ? entry.codeToSendByItself() : nil
      state = .editing(entry)
      if let code { send(code, entry) }
    }
  }

  override var currentStatus: FlowStatus {
    var screen = page
    screen.secondsLeft = until?.secondsLeft(by: flows.clock)
    screen.secondsToResend = (entry?.isLink == true ? openEntry : entry)?.resendAt?.secondsLeft(by: flows.clock)
    if entry != nil, submitsByItself { screen.explanations.append(words("code.entry.by_itself")) }
    return screen
  }

  /// Without the parts that depend on the time.
  private var page: FlowStatus {
    let isLink = entry?.isLink == true
    let title: WordKey = isLink ? "link.waiting.title" : "code.entry.title"
    return switch state {
    case .editing(let entry): entry.status(title, in: words, announcement: editAnnouncement(entry))
    case .verifying(let entry):
      entry.status(title, in: words, activity: isLink ? "form.submit.working" : "code.submit.working")
    case .sending(let entry):
      entry.status(title, in: words, activity: isLink ? "link.ask.working" : "code.resend.working")
    case .expired(let entry):
      FlowStatus(
        isLink ? "link.expired.title" : "code.expired.title", in: words, problems: entry.problems,
        announced: .assertive, explanations: entry.explanations(in: words))
    case .spent:
      FlowStatus(
        "code.spent.title", in: words, announcement: Announcement(words("error.too_many_attempts"), .assertive))
    case .next, .done, .ended: FlowStatus(title, in: words)
    }
  }

  /// That a code was sent, once the provider has said so, then how long it is still accepted: at 30 and at 10 seconds,
  /// and at the end. The seconds between are shown, and not said.
  private func editAnnouncement(_ entry: CodeEntry) -> Announcement? {
    if entry.isLink {
      return entry.failure == nil && !entry.isRestored ? Announcement(words("link.waiting.title")) : nil
    }
    if let left = until?.secondsLeft(by: flows.clock), left <= 30 {
      let said = left <= 10 ? 10 : 30
      return Announcement(words("code.entry.expires", .count(said)), turn: said)
    }
    return entry.wasResent ? Announcement(words("code.entry.resent")) : nil
  }

  /// When the code expires or, after too many wrong ones, a new attempt is accepted; nil if that is not known.
  private var until: Deadline? {
    if case .spent(let until) = state { until } else { entry?.expiresAt }
  }

  /// Sends the code, or shows its problem. The same code is not sent again once it was refused.
  public func submit() {
    guard case .editing(var entry) = state else { return }
    let code = entry.codeToSend(by: flows.clock)
    state = .editing(entry)
    if let code { send(code, entry) }
  }

  /// Takes a link that the system passed to the app. One that this attempt did not ask for is refused in words.
  public func open(_ link: Secret) async {
    let before = state
    isOpening = true
    let result = await Result.of { () async throws(AuthenticationError) in try await flows.attempts.open(link) }
    isOpening = false
    switch result {
    case .success(let opened) where opened !== attempt:
      stopFollowing()
      state = .ended
      onEnd?(.link(opened))
    case .failure(let error) where !attempt.state.isEnded:
      if case .editing(let entry) = state { fail(error, entry) }
    default:
      // The response may have come before this was resumed.
      if case .success = result, state == before, let openEntry { state = .verifying(openEntry) }
      show(attempt.state, of: attempt)
    }
  }

  private func send(_ code: Secret, _ entry: CodeEntry) {
    state = .verifying(entry)
    attempt.answer(code: code)
    show(attempt.state, of: attempt)
  }

  /// The input while no request is in flight.
  private var openEntry: CodeEntry? {
    switch state {
    case .editing(let entry), .expired(let entry): entry
    default: nil
    }
  }

  /// Whether another code may be sent now.
  package var canResend: Bool { openEntry?.resendAt?.isOver(by: flows.clock) ?? false }

  /// Has another code sent to the same destination. Does nothing before it may.
  public func resend() {
    guard canResend, let entry else { return }
    state = .sending(entry)
    attempt.resend()
    show(attempt.state, of: attempt)
  }

  /// Cancels the attempt; the host shows the list of methods again.
  public func startAgain() {
    if cancelAttempt() { leave(to: .ended) }
  }

  /// Whether another factor can be chosen instead.
  public var canChooseAnother: Bool { (openEntry?.challenge.choices.count ?? 0) > 1 }

  /// Goes back to the choice among the factors, without a new sign-in.
  public func chooseAnother() {
    if canChooseAnother { onEnd?(.factors(attempt)) }
  }

  override func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    switch attemptState {
    // A link was opened.
    case .submitting, .externalInteraction: if let openEntry { state = .verifying(openEntry) }
    case .challenged(let challenge, let error): show(challenge, error)
    case .failed(let error): if let entry { fail(error, entry) }
    case .ended where isOpening: break
    case .collecting, .ended: advance(attemptState, of: attempt) { leave(to: .ended) }
    }
  }

  private func show(_ challenge: Challenge, _ error: AuthenticationError?) {
    switch state {
    case .verifying(let entry) where error == nil, .sending(let entry) where error == nil: ask(challenge, after: entry)
    case .verifying(let entry), .sending(let entry): if let error { fail(error, entry) }
    case .editing(let entry), .expired(let entry):
      if entry.challenge.handle != challenge.handle { ask(challenge, after: entry) }
    case .spent, .next, .done, .ended: break
    }
  }

  private func fail(_ error: AuthenticationError, _ former: CodeEntry) {
    if error == .tooManyAttempts {
      return state = .spent(until: error.retryAfter.map { Deadline(in: $0, by: flows.clock) })
    }
    var entry = former
    state = entry.canContinue(after: error, by: flows.clock) ? .editing(entry) : .expired(entry)
  }

  /// The same kind of code again, or another step.
  private func ask(_ challenge: Challenge, after entry: CodeEntry) {
    guard challenge.kind == entry.challenge.kind else {
      alarm.set(nil)
      return advance(to: challenge, of: attempt)
    }
    var new = CodeEntry(challenge, of: attempt, by: flows.clock)
    if case .sending = state { new.wasResent = true }
    state = .editing(new)
    watchExpiry()
  }

  private func watchExpiry() {
    alarm.set(entry?.expiresAt) { [weak self] in
      if case .editing(let entry) = self?.state { self?.state = .expired(entry) }
    }
  }
}
