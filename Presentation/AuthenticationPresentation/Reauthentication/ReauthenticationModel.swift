public import AuthenticationDomain
public import Observation

/// Has a person show again who they are, then goes on with what was interrupted, once. Nobody is signed out by it.
///
/// ```swift
/// do throws(AuthenticationError) {
///   try await root.account.deleteAccount()
/// } catch where ReauthenticationModel.isRequired(by: error) {
///   let model = ReauthenticationModel(error, of: user, by: root.account, in: flows) {
///     () async throws(AuthenticationError) in try await root.account.deleteAccount()
///   }
/// }
/// ```
@MainActor
@Observable
public final class ReauthenticationModel: FlowModel {
  /// What was interrupted.
  public typealias Intent = @Sendable () async throws(AuthenticationError) -> Void

  /// Where it stands.
  public enum State: Sendable {
    /// The person is told why, and chooses a method, or declines.
    case required(AuthenticationError.Code, methods: [SignInMethod], FlowFailure?)
    /// The password that the account has is asked for.
    case askingPassword(EntryForm, Challenge, FlowFailure?)
    /// A code is asked for.
    case askingCode(CodeEntry)
    /// The password or the code is verified.
    case checking(call: Int)
    /// The person signs in again.
    case proving(SignInStep)
    /// What was interrupted goes on.
    case resuming(call: Int)
    /// It is done.
    case done
    /// What was interrupted did not do, although the person has shown who they are.
    case failed(FlowFailure)
    /// The person declined: nothing has changed.
    case declined
  }

  public package(set) var state: State
  public var words: Words { flows.words }

  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored let call = CurrentCall()
  @ObservationIgnored let expiry: Alarm
  @ObservationIgnored let reason: AuthenticationError.Code
  @ObservationIgnored let user: User
  @ObservationIgnored let challenges: (any AccountChallengeUseCase)?
  /// Nil once it was taken up again.
  @ObservationIgnored var intent: Intent?
  @ObservationIgnored lazy var steps = StepSequence(in: flows) { [weak self] step in
    self?.state = .proving(step)
  } end: { [weak self] in
    self?.proved($0)
  }

  /// Whether an error asks for this flow.
  nonisolated public static func isRequired(by error: AuthenticationError) -> Bool {
    [.recentSignInRequired, .insufficientUserAuthentication].contains(error.code)
  }

  /// Asks for what the error wants: its challenge, or a new sign-in.
  ///
  /// - Parameters:
  ///   - error: why the intent was interrupted.
  ///   - user: who is signed in; nobody else can go on.
  ///   - challenges: answers the error's challenge.
  ///   - flows: what the models of one app share.
  ///   - intent: what goes on, once, after the proof.
  public init(
    _ error: AuthenticationError, of user: User, by challenges: (any AccountChallengeUseCase)? = nil,
    in flows: FlowEnvironment, intent: @escaping Intent
  ) {
    let flows = flows.reauthenticating(user)
    self.flows = flows
    self.user = user
    self.challenges = challenges
    self.intent = intent
    expiry = Alarm(flows.clock)
    reason = error.code
    state = .required(error.code, methods: flows.attempts.methods, nil)
    if challenges != nil, let challenge = error.challenge { ask(challenge) }
  }

  /// The password, as typed.
  public var password: String {
    get { if case .askingPassword(let form, _, _) = state { form[.password] } else { "" } }
    set {
      guard case .askingPassword(var form, let challenge, let failure) = state else { return }
      form.type(newValue, into: .password, flows.rules)
      state = .askingPassword(form, challenge, failure)
    }
  }

  /// The code, as typed or pasted.
  public var code: String {
    get { if case .askingCode(let entry) = state { entry.text } else { "" } }
    set {
      guard case .askingCode(var entry) = state else { return }
      entry.text = newValue
      state = .askingCode(entry)
    }
  }
}
