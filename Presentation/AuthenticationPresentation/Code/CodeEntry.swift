public import AuthenticationDomain

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
  public internal(set) var failure: FlowFailure?
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

  /// What is wrong with what is typed; nil while the person has not tried to go on.
  public var problem: AuthenticationError.Code? { isChecked ? fault : nil }

  /// Where another one goes, masked by the provider.
  public var destination: String? { challenge.destination }

  /// Whether the provider takes the code no more.
  func isOver(by clock: any AuthenticationClock) -> Bool { expiresAt?.isOver(by: clock) ?? false }

  private var fault: AuthenticationError.Code? {
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
  mutating func codeToSend(by clock: any AuthenticationClock) -> Secret? {
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
    if let wait = failure?.retryAt, error.code == .rateLimited, resendAt != nil { resendAt = wait }
    guard error.code.disposition == .attempt else { return }
    refused.insert(Secret(code))
    text = ""
  }
}

extension CodeEntry: CustomReflectable {
  /// Without the code.
  public var customMirror: Mirror { Mirror(self, children: ["challenge": challenge, "failure": failure as Any]) }
}
