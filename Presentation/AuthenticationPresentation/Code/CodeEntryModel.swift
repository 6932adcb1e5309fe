public import AuthenticationDomain
public import Observation

/// Asks for the code of an attempt: one that was sent, one of an authenticator app, a recovery code.
///
/// There is none without an attempt that waits for it.
///
/// ```swift
/// if let model = CodeEntryModel(attempt, in: flows) {
///   model.code = typed
///   model.submit()
/// }
/// ```
@MainActor
@Observable
public final class CodeEntryModel: StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The user types it.
    case editing(CodeEntry)
    /// It was sent to the provider.
    case verifying(CodeEntry)
    /// Another one was asked for; its coming is not said before the answer.
    case sending(CodeEntry)
    /// The provider takes it no more: another one may be sent, or the flow begins again.
    case expired(CodeEntry)
    /// Too many wrong ones: nothing is taken before the deadline; nil if only a new attempt helps.
    case spent(until: Deadline?)
    /// The provider asks for another step.
    case next(Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
    /// The attempt is over without a session.
    case ended
  }

  public package(set) var state: State {
    didSet { if let stepEnd { onEnd?(stepEnd) } }
  }
  public var words: Words { flows.words }
  /// Whether a complete code is sent without a submit; a page that does so says it (WCAG 2.2, 3.2.2).
  public var submitsByItself = false

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored let attempt: SignInAttempt
  @ObservationIgnored let following = AttemptFollowing()
  @ObservationIgnored let expiry: Alarm

  /// Nil if the attempt does not wait for an answer.
  ///
  /// - Parameters:
  ///   - attempt: the one whose challenge is asked.
  ///   - flows: what the models of one app share.
  ///   - isRestored: whether it was pending when the app was closed.
  public init?(_ attempt: SignInAttempt, in flows: FlowEnvironment, isRestored: Bool = false) {
    guard let challenge = attempt.state.challenge else { return nil }
    self.attempt = attempt
    self.flows = flows
    expiry = Alarm(flows.clock)
    state = .editing(CodeEntry(challenge, of: attempt, isRestored: isRestored, by: flows.clock))
    following.follow(attempt) { [weak self] in self?.show($0) }
    watchExpiry()
  }

  /// For a preview: it follows nothing.
  package init(_ state: State, of attempt: SignInAttempt, in flows: FlowEnvironment) {
    self.attempt = attempt
    self.flows = flows
    expiry = Alarm(flows.clock)
    self.state = state
  }

  /// The input; nil after its end.
  public var entry: CodeEntry? {
    switch state {
    case .editing(let entry), .verifying(let entry), .sending(let entry), .expired(let entry): entry
    case .spent, .next, .done, .ended: nil
    }
  }

  /// As typed or pasted. What is typed while something is on its way is dropped.
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

  private var stepEnd: StepEnd? {
    switch state {
    case .next: .next(attempt)
    case .done(let completion): .done(completion)
    case .ended: .left
    default: nil
    }
  }

  public var problems: [AuthenticationError] { entry?.problem.map { [$0] } ?? [] }

  public var failure: FlowFailure? {
    if case .editing(let entry) = state { entry.failure } else { nil }
  }

  public var focus: Focus? {
    guard case .editing(let entry) = state else { return nil }
    if let failure = entry.failure {
      return Focus(entry.problem == nil ? .message : .field("code"), turn: failure.turn)
    }
    return Focus(.field("code"), turn: 0)
  }

  /// Whether an answer is awaited.
  public var isWorking: Bool {
    switch state {
    case .verifying, .sending: true
    default: false
    }
  }
}

extension CodeEntry {
  init(_ challenge: Challenge, of attempt: SignInAttempt, isRestored: Bool = false, by clock: any AuthenticationClock) {
    self.init(
      challenge, timeToResend: attempt.timeToResend(), timeLeft: attempt.timeLeft(), isRestored: isRestored, by: clock)
  }
}

extension CodeEntryModel {
  /// Sends the code, or says what is wrong with it. The same code is not sent again once it was refused.
  public func submit() {
    guard case .editing(var entry) = state else { return }
    let code = entry.codeToSend(by: flows.clock)
    state = .editing(entry)
    if let code { send(code, entry) }
  }

  func send(_ code: Secret, _ entry: CodeEntry) {
    state = .verifying(entry)
    attempt.answer(code: code)
    show(attempt.state)
  }

  /// Whether another code may be sent now.
  public var canResend: Bool {
    switch state {
    case .editing(let entry), .expired(let entry): entry.resendAt?.isOver(by: flows.clock) ?? false
    default: false
    }
  }

  /// Has another code sent to the same destination. Does nothing before it may.
  public func resend() {
    guard canResend, let entry else { return }
    state = .sending(entry)
    attempt.resend()
    show(attempt.state)
  }

  /// Gives the attempt up; the host shows the list of methods again.
  public func startAgain() {
    guard following.cancel() else { return }
    state = .ended
  }

  /// Whether another factor can be chosen instead.
  public var canChooseAnother: Bool { !isWorking && (entry?.challenge.choices.count ?? 0) > 1 }

  /// Goes back to the choice among the factors, without a new sign-in.
  public func chooseAnother() {
    if canChooseAnother { onEnd?(.factors(attempt)) }
  }

  public func finished() async { await following.finished() }

  func show(_ attemptState: SignInAttempt.State) {
    switch attemptState {
    case .submitting, .collecting, .externalInteraction: break
    case .challenged(let challenge, let error): show(challenge, error)
    case .failed(let error): end(error)
    case .ended(.signedIn(let user)):
      if case .done = state { return }
      state = SignInCompletion(user, of: attempt, by: flows.control).map(State.done) ?? .ended
    case .ended: state = .ended
    }
  }

  private func show(_ challenge: Challenge, _ error: AuthenticationError?) {
    guard isWorking, var entry else {
      if let entry, entry.challenge.handle != challenge.handle { ask(challenge, after: entry) }
      return
    }
    guard let error else { return ask(challenge, after: entry) }
    switch error {
    case _ where error.isSilent: edit(entry)
    case .tooManyAttempts: end(error)
    case .codeExpired: state = .expired(entry)
    default:
      entry.fail(error, by: flows.clock)
      edit(entry)
    }
  }

  /// It may have expired while it was verified.
  private func edit(_ entry: CodeEntry) {
    state = entry.isOver(by: flows.clock) ? .expired(entry) : .editing(entry)
  }

  /// The same kind of code again, or another step.
  private func ask(_ challenge: Challenge, after entry: CodeEntry) {
    guard challenge.kind == entry.challenge.kind else {
      state = .next(challenge, attempt: attempt.id)
      return expiry.set(nil) {}
    }
    var new = CodeEntry(challenge, of: attempt, by: flows.clock)
    if case .sending = state { new.wasResent = true }
    state = .editing(new)
    watchExpiry()
  }

  private func end(_ error: AuthenticationError) {
    switch error {
    case .tooManyAttempts: state = .spent(until: error.retryAfter.map { Deadline(in: $0, by: flows.clock) })
    case .signInExpired, .codeExpired:
      guard let entry else { return }
      state = .expired(entry)
    default:
      guard var entry else { return }
      entry.fail(error, by: flows.clock)
      state = .editing(entry)
    }
  }

  func watchExpiry() {
    expiry.set(entry?.expiresAt) { [weak self] in
      if case .editing(let entry) = self?.state { self?.state = .expired(entry) }
    }
  }
}

extension CodeEntryModel {
  public var title: String {
    switch state {
    case .expired: words("code.expired.title")
    case .spent: words("code.spent.title")
    case .editing, .verifying, .sending, .next, .done, .ended: words("code.entry.title")
    }
  }

  /// What the code is, and where it comes from, above its field.
  public var explanations: [String] {
    var sentences = entry?.explanations(in: words) ?? []
    if entry != nil, submitsByItself { sentences.append(words("code.entry.by_itself")) }
    return sentences
  }

  public var activity: String? {
    switch state {
    case .verifying: words("code.submit.working")
    case .sending: words("code.resend.working")
    default: nil
    }
  }

  /// Seconds until another code may be sent; zero if it may be sent now, nil if none can be.
  public var secondsToResend: Int? { entry?.resendAt?.secondsLeft(by: flows.clock) }

  /// Seconds until the code is taken no more; nil if that is not known.
  public var secondsLeft: Int? { entry?.expiresAt?.secondsLeft(by: flows.clock) }

  /// Seconds until a new attempt is taken after too many wrong codes; nil if that is not known, or none were.
  public var secondsToRetry: Int? {
    if case .spent(let until) = state { until?.secondsLeft(by: flows.clock) } else { nil }
  }

  /// That a code was sent, once the provider has said so, then how long it is still taken: at 30 and at 10 seconds, and
  /// at the end. The seconds between are shown, and not said.
  public var announcement: Announcement? {
    switch state {
    case .editing(let entry):
      if let left = secondsLeft, left <= 30 {
        let said = left <= 10 ? 10 : 30
        return Announcement(words("code.entry.expires", .count(said)), turn: said)
      }
      return entry.wasResent ? Announcement(words("code.entry.resent")) : nil
    case .expired: return Announcement(title, .assertive)
    case .spent: return Announcement(words("error.too_many_attempts"), .assertive)
    case .verifying, .sending: return activity.map { Announcement($0) }
    case .next, .done, .ended: return nil
    }
  }
}

extension CodeEntry {
  /// What the code is, and where it comes from.
  public func explanations(in words: Words) -> [String] {
    var sentences: [String] = []
    if isRestored { sentences.append(words("code.entry.restored")) }
    switch challenge.kind {
    case .oneTimePassword: sentences.append(words("code.entry.authenticator"))
    case .recoveryCode: sentences.append(words("code.entry.recovery"))
    default: if let destination { sentences.append(words("code.entry.sent", .text(destination))) }
    }
    return sentences
  }
}

/// The input of one code: cleaned before it is measured, and sent once for each value.
public struct CodeEntry: Sendable, Equatable {
  /// What asks for it.
  public let challenge: Challenge
  /// Before this no other code can be sent; nil if none can be sent at all.
  public internal(set) var resendAt: Deadline?
  /// When the provider takes it no more; nil if that is not known.
  public let expiresAt: Deadline?
  /// Whether it was pending when the app was closed: nothing was sent for it since.
  public let isRestored: Bool
  /// As typed.
  public package(set) var text = ""
  /// Why the last one did not do.
  public package(set) var failure: FlowFailure?
  /// Whether another one was sent while this was on the screen.
  public package(set) var wasResent = false
  private var isChecked = false
  private var sent: Set<Secret> = []
  private var refused: Set<Secret> = []

  package init(
    _ challenge: Challenge, timeToResend: Duration?, timeLeft: Duration?, isRestored: Bool = false,
    by clock: any AuthenticationClock
  ) {
    self.challenge = challenge
    resendAt = timeToResend.map { Deadline(in: $0, by: clock) }
    expiresAt = timeLeft.map { Deadline(in: $0, by: clock) }
    self.isRestored = isRestored
  }

  /// Without spaces, dashes and invisible characters, in ASCII digits; never cut.
  public var code: String { CodeFormat.cleaned(text) }

  /// What is wrong with what is typed; nil while the user has not tried to go on.
  public var problem: AuthenticationError? { isChecked ? fault : nil }

  /// Where another one goes, masked by the provider.
  public var destination: String? { challenge.destination }

  /// Whether the provider takes the code no more.
  package func isOver(by clock: any AuthenticationClock) -> Bool { expiresAt?.isOver(by: clock) ?? false }

  private var fault: AuthenticationError? {
    if code.isEmpty { return .emptyCode }
    return challenge.format?.matches(code) == false ? .malformedCode : nil
  }

  /// What an input that submits by itself sends now: a complete code that was not sent before.
  mutating func codeToSendByItself() -> Secret? {
    let code = Secret(code)
    guard fault == nil, let format = challenge.format, self.code.count == format.length.upperBound,
      sent.insert(code).inserted
    else { return nil }
    return code
  }

  /// What a submit sends; nil if it cannot be right, or was refused before, which is then said again.
  package mutating func codeToSend(by clock: any AuthenticationClock) -> Secret? {
    let code = Secret(code)
    isChecked = fault != nil
    if let fault {
      failure = FlowFailure(AuthenticationError(fault, "Not sent."), after: failure, by: clock)
      return nil
    }
    if refused.contains(code) {
      failure = FlowFailure(.wrongCode, after: failure, by: clock)
      return nil
    }
    sent.insert(code)
    return code
  }

  /// Shows why it did not do. A code that the provider refused is emptied; what was lost on the way is kept.
  package mutating func fail(_ error: AuthenticationError, by clock: any AuthenticationClock) {
    failure = FlowFailure(error, after: failure, by: clock)
    if let wait = failure?.retryAt, error == .rateLimited, resendAt != nil { resendAt = wait }
    guard error.disposition == .attempt else { return }
    refused.insert(Secret(code))
    text = ""
  }
}

extension CodeEntry: CustomReflectable {
  /// Without the code.
  public var customMirror: Mirror { Mirror(self, children: ["challenge": challenge, "failure": failure as Any]) }
}
