public import AuthenticationDomain
import Observation

/// The dependencies of the models of the flows. One environment serves all screens of a client.
///
/// ```swift
/// let flows = root.flows(in: Words(.german))
/// let model = AuthenticationViewModel(flows)
/// ```
public struct FlowEnvironment: Sendable {
  /// The methods to sign in with.
  package private(set) var attempts: SignInAttempts
  /// The session's states.
  package let control: any SessionControl
  /// The time.
  package let clock: any AuthenticationClock
  /// The sentences that the user reads.
  public var words: Words
  /// How input is cleaned and checked.
  public var rules = FieldRules()
  /// The rules for a new password, from the provider's configuration.
  public var passwordRules: [PasswordRule] = []
  /// The terms that a user agrees to when an account is created, below the inputs of that form. By default nothing.
  public var terms: [Terms] = []
  /// Whether a step that was pending when the app was closed is shown again; otherwise it is removed.
  public var restoresPendingStep = true
  /// A hint on the list of methods: reads and writes the id of the one that was used last on this device, wherever the
  /// app keeps it, without the name of a user. By default nothing is kept.
  public var lastMethod: (read: @Sendable () -> String?, write: @Sendable (String) -> Void) = ({ nil }, { _ in })

  private let failures = FlowFailures()

  /// Composes an environment.
  ///
  /// - Parameters:
  ///   - attempts: the methods to sign in with.
  ///   - control: publishes the states of the session, and signs out.
  ///   - clock: the time; replace it in a test.
  ///   - words: the sentences; by default in English.
  public init(
    attempts: SignInAttempts, control: any SessionControl, clock: any AuthenticationClock = SystemClock(),
    words: Words = Words()
  ) {
    self.attempts = attempts
    self.control = control
    self.clock = clock
    self.words = words
  }

  /// The same environment with attempts that prove the identity of the signed-in user.
  package func reauthenticating(_ user: User) -> FlowEnvironment {
    var flows = self
    flows.attempts = attempts.reauthenticating(user)
    return flows
  }
}

/// The failures that the models of one environment share.
@MainActor
@Observable
private final class FlowFailures {
  /// Why the store has not erased the session at a sign-out; nil if nothing is left, as far as is known.
  var erasure: FlowFailure?
  @ObservationIgnored private var count = 0

  nonisolated init() {}

  func next() -> Int {
    count += 1
    return count
  }
}

@MainActor extension FlowEnvironment {
  /// Counted, so that the same failure again is another one to focus and to announce.
  package func failure(_ error: AuthenticationError) -> FlowFailure {
    FlowFailure(error, turn: failures.next(), by: clock)
  }

  /// Nil for an error that is nothing to tell a user.
  package func visibleFailure(_ error: AuthenticationError) -> FlowFailure? { error.isSilent ? nil : failure(error) }

  /// Why the store has not erased the session at a sign-out; any model tries again.
  package var erasureFailure: FlowFailure? { failures.erasure }

  /// Nothing is left in the store, or a new session has replaced it.
  func endErasure() {
    if failures.erasure != nil { failures.erasure = nil }
  }

  /// Notes the error of a sign-out if it means that the user is signed out here, and that the store holds the session.
  ///
  /// - Returns: whether it does.
  package func noteRefusedErasure(_ error: AuthenticationError) -> Bool {
    let codes: [AuthenticationError] = [.storageUnavailable, .userPresenceRequired, .storageCorrupt]
    guard case .signedOut = control.state, codes.contains(error) else { return false }
    failures.erasure = failure(error)
    return true
  }

  /// Has the session erased again, and notes the outcome.
  package func eraseAgain(
    by call: CurrentCall, then show: @escaping @MainActor (Result<Void, AuthenticationError>) -> Void
  ) {
    call.run { [control] () async throws(AuthenticationError) in
      try await control.signOut(losing: nil)
    } then: { result in
      switch result {
      case .success: endErasure()
      case .failure(let error): failures.erasure = failure(error)
      }
      show(result)
    }
  }
}
