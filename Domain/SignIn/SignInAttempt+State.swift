extension SignInAttempt {
  /// Where an attempt stands.
  public enum State: Sendable, Equatable {
    /// The person fills in the form, if there is one; nothing was sent.
    case collecting
    /// Something was sent, and the answer is awaited.
    case submitting
    /// The person is busy in a browser or on another device.
    case waitingElsewhere(WaitingElsewhere)
    /// The provider asks for a step; the failure says why the last answer to it did not do.
    case challenged(Challenge, AuthenticationError?)
    /// It did not work; what was entered can be corrected and submitted again.
    case failed(AuthenticationError)
    /// Nothing more happens.
    case ended(End)
  }

  /// How an attempt ended.
  public enum End: Sendable, Equatable {
    /// This person has signed in, and the session is stored or about to be.
    case signedIn(User)
    /// The person, or the app, cancelled.
    case cancelled
    /// Another attempt was begun.
    case replaced
  }
}

extension SignInAttempt.State {
  /// The challenge that is asked now; nil if none is.
  public var challenge: Challenge? {
    if case .challenged(let challenge, _) = self { challenge } else { nil }
  }

  /// Why the last submit or answer did not do; nil if nothing failed.
  public var failure: AuthenticationError? {
    switch self {
    case .failed(let error): error
    case .challenged(_, let error): error
    default: nil
    }
  }

  /// Whether something is on its way.
  public var isWorking: Bool {
    switch self {
    case .submitting, .waitingElsewhere: true
    default: false
    }
  }

  /// Whether nothing more happens.
  public var isEnded: Bool {
    if case .ended = self { true } else { false }
  }
}
