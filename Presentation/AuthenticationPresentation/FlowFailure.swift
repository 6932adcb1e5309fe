public import AuthenticationDomain

/// Why the last intent of a flow failed.
public struct FlowFailure: Sendable, Equatable {
  /// The error; its texts are for a developer.
  public let error: AuthenticationError
  /// Before this another try is refused; nil if that is not known.
  let retryAt: Deadline?
  /// Counts the failures: the same failure again is another one to focus and to announce.
  package let turn: Int

  package var focus: Focus { .message(turn: turn) }

  package init(_ error: AuthenticationError, after former: FlowFailure? = nil, by clock: any AuthenticationClock) {
    self.init(error, turn: (former?.turn ?? 0) + 1, by: clock)
  }

  init(_ error: AuthenticationError, turn: Int, by clock: any AuthenticationClock) {
    self.error = error
    retryAt = error.retryAfter.map { Deadline(in: $0, by: clock) }
    self.turn = turn
  }
}

extension AuthenticationError {
  /// Whether it is nothing to tell a user: they left, or something newer is on the screen.
  package var isSilent: Bool { [.cancelled, .superseded].contains(self) }
}
