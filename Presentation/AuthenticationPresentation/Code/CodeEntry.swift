public import AuthenticationDomain

/// The input of one code: cleaned before it is measured, and sent once for each value. Or the wait for a link.
public struct CodeEntry: Sendable, Equatable {
  /// The challenge that asks for it.
  public let challenge: Challenge
  /// Before this no other code can be sent; nil if none can be sent at all.
  package internal(set) var resendAt: Deadline?
  /// When it expires; nil if that is not known.
  package let expiresAt: Deadline?
  /// Whether it was pending when the app was closed: nothing was sent for it since.
  package let isRestored: Bool
  /// As typed.
  package var text = ""
  /// Why the last one failed.
  package var failure: FlowFailure?
  /// Whether another one was sent while this was on the screen.
  package var wasResent = false
  private var isChecked = false
  private var sent: Set<Secret> = []
  private var refused: Set<Secret> = []

  /// - Parameters:
  ///   - challenge: has just come, or came when the attempt says.
  ///   - attempt: the one that it belongs to; nil if it belongs to none.
  ///   - isRestored: whether it was pending when the app was closed.
  ///   - clock: the time.
  package init(
    _ challenge: Challenge, of attempt: SignInAttempt? = nil, isRestored: Bool = false,
    by clock: any AuthenticationClock
  ) {
    let (timeToResend, timeLeft) =
      attempt.map { ($0.timeToResend(), $0.timeLeft()) } ?? (challenge.resendDelay, challenge.lifetime)
    self.challenge = challenge
    resendAt = timeToResend.map { Deadline(in: $0, by: clock) }
    expiresAt = timeLeft.map { Deadline(in: $0, by: clock) }
    self.isRestored = isRestored
  }

  /// Without spaces, dashes and invisible characters, in ASCII digits; never cut.
  package var code: String { CodeFormat.cleaned(text) }

  /// The problem of the input; nil until the user has submitted it.
  package var problem: AuthenticationError? { isChecked ? fault : nil }

  package var problems: [AuthenticationError] { problem.map { [$0] } ?? [] }

  /// Whether a link is waited for, and nothing is typed.
  package var isLink: Bool { challenge.kind == .link }

  /// Whether it has expired.
  package func isOver(by clock: any AuthenticationClock) -> Bool { expiresAt?.isOver(by: clock) ?? false }

  private var fault: AuthenticationError? {
    if code.isEmpty { return .emptyCode }
    return challenge.format?.matches(code) == false ? .malformedCode : nil
  }

  /// The answer of an input that submits by itself: a complete code that was not sent before.
  mutating func codeToSendByItself() -> Secret? {
    let code = Secret(code)
    guard fault == nil, let format = challenge.format, self.code.count == format.length.upperBound,
      sent.insert(code).inserted
    else { return nil }
    return code
  }

  /// The answer that a submit sends; nil if it cannot be right, or was refused before, which is then shown again.
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

  /// Shows why it failed.
  ///
  /// - Returns: false if it has expired, perhaps while it was verified.
  package mutating func canContinue(after error: AuthenticationError, by clock: any AuthenticationClock) -> Bool {
    if [.codeExpired, .signInExpired].contains(error) { return false }
    if !error.isSilent { fail(error, by: clock) }
    return !isOver(by: clock)
  }

  /// Shows why it failed. A code that the provider refused is emptied; one of which no response came is kept.
  package mutating func fail(_ error: AuthenticationError, by clock: any AuthenticationClock) {
    failure = FlowFailure(error, after: failure, by: clock)
    if let wait = failure?.retryAt, error == .rateLimited, resendAt != nil { resendAt = wait }
    guard error.disposition == .attempt else { return }
    refused.insert(Secret(code))
    text = ""
  }
}

extension CodeEntry {
  /// The kind of the code, and where it comes from.
  func explanations(in words: Words) -> [String] {
    var sentences: [String] = []
    if isRestored { sentences.append(words(isLink ? "link.waiting.restored" : "code.entry.restored")) }
    switch challenge.kind {
    case .oneTimePassword: sentences.append(words("code.entry.authenticator"))
    case .recoveryCode: sentences.append(words("code.entry.recovery"))
    default:
      if let destination = challenge.destination {
        sentences.append(words(isLink ? "link.waiting.sent" : "code.entry.sent", .text(destination)))
      }
    }
    return sentences
  }

  /// The status of a page with this input: the failure and the focus while the user types, else the activity.
  package func status(
    _ title: WordKey, in words: Words, activity: WordKey? = nil, announcement: Announcement? = nil
  ) -> FlowStatus {
    let explanations = explanations(in: words)
    if let activity {
      return FlowStatus(title, in: words, activity: activity, problems: problems, explanations: explanations)
    }
    let turn = failure?.turn ?? 0
    let field: Focus? = failure == nil || problem != nil ? .field("code", turn: turn) : nil
    return FlowStatus(
      title, in: words, failure: failure, problems: problems, focus: isLink ? nil : field,
      announcement: announcement, explanations: explanations)
  }
}

extension CodeEntry: Redacted {}
