public import AuthenticationDomain
public import Observation

/// Has the user sign in again, or prove otherwise that they are present, then goes on with what was interrupted, once.
/// The session stays: a sign-in that is a proof stores nothing for another user (``ReauthenticationUseCase``).
///
/// ```swift
/// do throws(AuthenticationError) {
///   try await root.account.deleteAccount()
/// } catch where ReauthenticationModel.isRequired(by: error) {
///   let model = ReauthenticationModel(error, of: user, by: root.account, in: flows) {
///     proof async throws(AuthenticationError) in try await root.account.deleteAccount(proof: proof)
///   }
/// }
/// ```
///
/// Where the service takes the proof with its request, a wrong password asks again.
@MainActor
@Observable
public final class ReauthenticationModel: FlowModel {
  /// What was interrupted.
  public typealias Intent = @Sendable () async throws(AuthenticationError) -> Void
  /// What was interrupted, which takes the proof with its request where the service asks for that; nil otherwise.
  public typealias ProvenIntent = @Sendable (_ proof: ChallengeAnswer?) async throws(AuthenticationError) -> Void
  typealias Service = @Sendable (_ proof: ChallengeAnswer?) async throws(AuthenticationError) -> AccountOutcome

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
  /// What goes on; nil once it has ended.
  @ObservationIgnored var service: Service?
  /// Whether what goes on takes a proof.
  @ObservationIgnored let takesProof: Bool
  /// Whether the challenge that is asked is answered with what goes on.
  @ObservationIgnored var isAskedByService = false
  /// Is told what came of it.
  @ObservationIgnored var onEnd: (@MainActor (Result<AccountOutcome, AuthenticationError>) -> Void)?
  @ObservationIgnored lazy var steps = StepSequence(in: flows) { [weak self] step in
    self?.state = .proving(step)
  } end: { [weak self] in
    self?.proved($0)
  }

  /// Whether an error asks for this flow.
  nonisolated public static func isRequired(by error: AuthenticationError) -> Bool {
    [.recentSignInRequired, .insufficientUserAuthentication, .challengeRequired].contains(error.code)
  }

  /// Asks for what the error wants: its challenge, or a new sign-in.
  ///
  /// - Parameters:
  ///   - error: why the intent was interrupted.
  ///   - user: who is signed in; nobody else can go on.
  ///   - challenges: answers the error's challenge.
  ///   - flows: what the models of one app share.
  ///   - intent: what goes on, once, after the proof.
  public convenience init(
    _ error: AuthenticationError, of user: User, by challenges: (any AccountChallengeUseCase)? = nil,
    in flows: FlowEnvironment, intent: @escaping Intent
  ) {
    self.init(error, of: user, by: challenges, in: flows, takesProof: false) {
      _ async throws(AuthenticationError) in
      try await intent()
      return .done
    }
  }

  /// Asks for what the error wants, with an intent that takes a proof with its request
  /// (``AccountDeletionUseCase/deleteAccount(proof:)``).
  ///
  /// - Parameters:
  ///   - error: why the intent was interrupted.
  ///   - user: the user of the session; no other one can go on.
  ///   - challenges: answers a challenge that is not answered with the request.
  ///   - flows: what the models of one app share.
  ///   - intent: what goes on. It is called again for each proof, until one is right.
  public convenience init(
    _ error: AuthenticationError, of user: User, by challenges: (any AccountChallengeUseCase)? = nil,
    in flows: FlowEnvironment, proving intent: @escaping ProvenIntent
  ) {
    self.init(error, of: user, by: challenges, in: flows, takesProof: true) {
      proof async throws(AuthenticationError) in
      try await intent(proof)
      return .done
    }
  }

  init(
    _ error: AuthenticationError, of user: User, by challenges: (any AccountChallengeUseCase)?,
    in flows: FlowEnvironment, takesProof: Bool, service: @escaping Service
  ) {
    let flows = flows.reauthenticating(user)
    self.flows = flows
    self.user = user
    self.challenges = challenges
    self.service = service
    self.takesProof = takesProof
    expiry = Alarm(flows.clock)
    reason = error.code
    state = .required(error.code, methods: flows.attempts.methods, nil)
    guard let challenge = error.challenge else { return }
    isAskedByService = error.code == .challengeRequired
    if isAskedByService ? takesProof : challenges != nil { ask(challenge) }
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
