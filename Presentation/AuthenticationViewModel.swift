public import AuthenticationDomain
public import Observation

/// What a sign-in screen shows and does, without any UI framework.
///
/// Intents go to the use case; who is signed in comes back only by the stream of states, so that a sign-out anywhere
/// shows here. One attempt runs at a time.
///
/// ```swift
/// let viewModel = AuthenticationViewModel(useCase: manager, control: manager)
/// viewModel.userName = "ada"
/// viewModel.password = typed
/// viewModel.signIn()
/// ```
@MainActor
@Observable
public final class AuthenticationViewModel {
  /// Which screen an app should show.
  public enum Phase: Sendable, Equatable {
    /// Not known yet: show neither the sign-in form nor the app's content.
    case loading
    /// Show the sign-in form.
    case signedOut
    /// Ask for the code, and sign in with the answer to this challenge.
    case challenged(Challenge)
    /// Show the app's content.
    case signedIn
    /// The session has expired and cannot be refreshed: show the sign-in form. ``AuthenticationViewModel/user`` is the
    /// person whose session it was.
    case expired
    /// The store cannot be read now; the failure says why.
    case unavailable
  }

  /// What was typed; kept when an attempt ends.
  public var userName = ""
  /// What was typed; cleared when an attempt ends.
  public var password = ""

  /// The screen to show; `loading` until the first state is known.
  public private(set) var phase = Phase.loading
  /// Who is signed in, by the stream of states alone; nil if nobody is, or if that is not known.
  public private(set) var user: User?
  /// True while an attempt, or a sign-out, is in progress.
  public private(set) var isWorking = false
  /// A greeting for the person who has just signed in; nil after a restart.
  public private(set) var message: String?
  /// Why the last intent failed, or what is wrong with the session now; for the app to phrase.
  public var failure: AuthenticationError? { intentFailure ?? stateFailure }
  /// True while the access token has expired, or needs a refresh for which the provider has not been reached.
  public private(set) var isStale = false

  private var intentFailure: AuthenticationError?
  private var stateFailure: AuthenticationError?

  @ObservationIgnored private let useCase: any AuthenticationUseCase
  @ObservationIgnored private let control: any SessionControl
  @ObservationIgnored private var attempt: Task<Void, Never>?
  @ObservationIgnored private var following: Task<Void, Never>?

  /// Follows the states of `control` until the view model is released, and has `control` read the store.
  ///
  /// - Parameters:
  ///   - useCase: signs in; if it is a ``SignUpUseCase``, signs up, too.
  ///   - control: publishes the states, and signs out.
  public init(useCase: any AuthenticationUseCase, control: any SessionControl) {
    self.useCase = useCase
    self.control = control
    let states = control.states()
    following = Task { [weak self] in
      for await _ in states { self?.follow() }
    }
    restore()
  }

  deinit { following?.cancel() }

  /// A sentence for the failure, for an app that has no text of its own (English). It holds no secret.
  public var failureSentence: String? { failure?.defaultSentence }

  /// Signs in with what was typed. Does nothing while an attempt is in progress.
  public func signIn() {
    signIn(with: .password(userName: userName, password: Secret(password)))
  }

  /// Signs in with any credentials, such as the answer to a challenge. Does nothing while an attempt is in progress.
  public func signIn(with credentials: any Credentials) {
    run(greets: true) { [useCase] () throws(AuthenticationError) in _ = try await useCase.signIn(with: credentials) }
  }

  /// Creates an account with what was typed, if the provider supports it. Does nothing while an attempt is in progress.
  public func signUp() {
    let credentials = PasswordCredentials(userName: userName, password: Secret(password))
    run(greets: true) { [useCase] () throws(AuthenticationError) in
      guard let useCase = useCase as? any SignUpUseCase else { throw .signUpUnsupported }
      _ = try await useCase.signUp(with: credentials)
    }
  }

  /// Erases the session here, then ends it at the provider. Does nothing while an attempt is in progress; ``failure``
  /// reports what fails, ``AuthenticationError/Code/confirmationRequired`` among it: then ask the person, and name the
  /// loss.
  ///
  /// - Parameter loss: what is lost for ever with the session, as the person has confirmed.
  public func signOut(losing loss: SignOutLoss? = nil) {
    run(greets: false) { [control] () throws(AuthenticationError) in try await control.signOut(losing: loss) }
  }

  /// Cancels the attempt in progress, immediately, whatever the provider does; nothing changes in the app.
  public func cancel() { attempt?.cancel() }

  /// Reads the store again if the phase is `unavailable`, for a retry button; ``phase`` shows the outcome.
  public func restore() {
    Task { [control] in await control.restore() }
  }

  /// Returns when the intent in progress has ended: for tests, and for scripts.
  public func finished() async { await attempt?.value }

  private func run(greets: Bool, _ intent: @escaping @Sendable () async throws(AuthenticationError) -> Void) {
    guard !isWorking else { return }
    isWorking = true
    intentFailure = nil
    message = nil
    attempt = Task {
      let result = await Self.result(of: intent)
      follow()
      switch result {
      case .success: if greets { message = user?.greeting }
      case .failure(let error):
        // A challenge is a phase, not a failure, if nobody is signed in yet.
        let isPhase = error.code == .challengeRequired && user == nil
        if error.code != .cancelled, !isPhase { intentFailure = error }
      }
      password = ""
      isWorking = false
      attempt = nil
    }
  }

  nonisolated private static func result(
    of intent: @escaping @Sendable () async throws(AuthenticationError) -> Void
  ) async -> Result<Void, AuthenticationError> {
    do throws(AuthenticationError) {
      return .success(try await AbandonableCall.run(intent))
    } catch {
      return .failure(error)
    }
  }

  /// Shows the latest state. The stream only signals that there is one: the element may be outdated by now.
  private func follow() {
    let state = control.state
    if state.user?.id != user?.id { message = nil }
    user = state.user
    isStale = state.activeSession.map { $0.freshness != .fresh } ?? false
    phase = Phase(state)
    stateFailure = state.failure
  }
}

extension AuthenticationViewModel: CustomReflectable {
  /// Empty: a password is being typed in here.
  nonisolated public var customMirror: Mirror { Mirror(self, children: []) }
}
