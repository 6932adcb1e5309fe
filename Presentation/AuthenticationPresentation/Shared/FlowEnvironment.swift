public import AuthenticationDomain

/// What the models of the flows are made of. One environment serves all screens of a client.
///
/// ```swift
/// let flows = root.flows(in: Words(.german))
/// let model = AuthenticationViewModel(flows)
/// ```
public struct FlowEnvironment: Sendable {
  /// The ways to sign in.
  public let attempts: SignInAttempts
  /// Who is signed in.
  public let control: any SessionControl
  /// The time.
  public let clock: any AuthenticationClock
  /// What is said to the person.
  public var words: Words
  /// How what is typed is cleaned and checked.
  public var rules = FieldRules()
  /// What a new password must be like, from the provider's configuration.
  public var passwordRules: [PasswordRule] = []
  /// Whether a step that was pending when the app was closed is shown again; otherwise it is removed.
  public var restoresPendingStep = true
  /// The method that was used last on this device, and how to keep it; without the name of anybody.
  public var lastMethod = LastMethod()

  private(set) var failures = FailureCount()
  private(set) var erasure = SessionErasure()

  /// Composes an environment.
  public init(
    attempts: SignInAttempts, control: any SessionControl, clock: any AuthenticationClock = SystemClock(),
    words: Words = Words()
  ) {
    self.attempts = attempts
    self.control = control
    self.clock = clock
    self.words = words
  }

  /// The same environment with attempts that prove who is signed in.
  func reauthenticating(_ user: User) -> FlowEnvironment {
    var flows = FlowEnvironment(
      attempts: attempts.reauthenticating(user), control: control, clock: clock, words: words)
    (flows.rules, flows.passwordRules) = (rules, passwordRules)
    (flows.lastMethod, flows.failures, flows.erasure) = (lastMethod, failures, erasure)
    return flows
  }
}

/// A hint on the list of methods: the id of the one that was used last, wherever the app keeps it.
public struct LastMethod: Sendable {
  let read: @Sendable () -> String?
  let write: @Sendable (String) -> Void

  /// Keeps nothing unless told otherwise.
  public init(read: @escaping @Sendable () -> String? = { nil }, write: @escaping @Sendable (String) -> Void = { _ in })
  {
    self.read = read
    self.write = write
  }
}
