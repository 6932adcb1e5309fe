public import AuthenticationDomain

/// Why the last intent of a flow did not do.
public struct FlowFailure: Sendable, Equatable {
  /// What happened; its texts are for a developer.
  public let error: AuthenticationError
  /// Before this another try is refused; nil if nobody said so.
  public let retryAt: Deadline?
  /// Counts the failures: the same failure again is another one to focus and to announce.
  public let turn: Int

  /// What to switch on.
  public var code: AuthenticationError.Code { error.code }
  /// How many wrong answers the provider still takes; nil if it did not say.
  public var attemptsLeft: Int? { error.attemptsLeft }

  var focus: Focus { Focus(.message, turn: turn) }

  package init(
    _ error: AuthenticationError, after former: FlowFailure? = nil, by clock: any AuthenticationClock
  ) {
    self.init(error, turn: (former?.turn ?? 0) + 1, by: clock)
  }

  init(_ error: AuthenticationError, turn: Int, by clock: any AuthenticationClock) {
    self.error = error
    retryAt = error.retryAfter.map { Deadline(in: $0, by: clock) }
    self.turn = turn
  }
}

extension AuthenticationError {
  /// Whether it is nothing to tell a person: they left, or something newer is on the screen.
  var isSilent: Bool { [.cancelled, .superseded].contains(code) }
}
