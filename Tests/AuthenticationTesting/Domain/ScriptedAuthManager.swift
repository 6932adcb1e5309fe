public import AuthenticationDomain
import Foundation

/// Stands in for ``AuthManager``: a test sets its states and scripts its results. For a view model,
/// a preview, and an app's own code that takes a use case, a control or a source of sessions.
///
/// ```swift
/// let manager = ScriptedAuthManager(.signedOut(.absent))
/// let model = AuthenticationViewModel(useCase: manager, control: manager)
/// manager.set(.signedIn(ActiveSession(session: .sample(receivedAt: now))))
/// ```
///
/// No call changes the state: a test sets the state after a sign-in or a sign-out. A call that is not scripted throws
/// ``AuthenticationError/unsupportedMethod``, but that a sign-out succeeds and the session is the state's.
public final class ScriptedAuthManager: Sendable {
  /// The calls, with their arguments; no password is kept.
  public enum Message: Sendable, Equatable {
    /// Credentials of this method came to sign in.
    case signIn(SignInMethod)
    /// Credentials of this method came to sign up.
    case signUp(SignInMethod)
    /// The user signed out.
    case signOut
    /// The store was to be read.
    case restore
    /// A session was wanted, and not this access token.
    case validSession(rejecting: AccessToken?)
  }

  /// Which call to hold back or to wait for.
  public enum Call: Sendable, Hashable {
    /// A sign-in.
    case signIn
    /// A sign-up.
    case signUp
    /// A sign-out.
    case signOut
    /// A session that is wanted.
    case validSession
  }

  /// The arguments of one sign-out.
  public struct SignOutRequest: Sendable, Equatable {
    /// Which sessions were to end.
    public let scope: SignOutScope
    /// The loss that the user had confirmed.
    public let loss: SignOutLoss?
  }

  private struct Contents {
    var state: AuthenticationState
    var messages: [Message] = []
    var signIns = Script<User>()
    var signOuts = Script<Void>()
    var requestedSignOuts: [SignOutRequest] = []
    var sessions = Script<AuthSession>()
    var listeners: [AsyncStream<AuthenticationState>.Continuation] = []
  }

  private let contents: AwaitableState<Contents>
  private let gates: [Call: Gate] = [.signIn: Gate(), .signUp: Gate(), .signOut: Gate(), .validSession: Gate()]

  /// The sign-outs so far, in order.
  public var signOuts: [SignOutRequest] { contents.value.requestedSignOuts }

  /// Shows this state, and holds nothing back.
  public init(_ state: AuthenticationState = .unknown) { contents = AwaitableState(Contents(state: state)) }

  /// Everything it was asked so far, in order of arrival.
  public var messages: [Message] { contents.value.messages }

  /// Shows this state from now on, to each listener.
  public func set(_ state: AuthenticationState) {
    contents.update { contents in
      contents.state = state
      for listener in contents.listeners { listener.yield(state) }
    }
  }

  /// The results of the next sign-ins and sign-ups; the last one is repeated.
  public func answerSignIn(_ results: Result<User, AuthenticationError>...) {
    contents.update { $0.signIns.add(results) }
  }

  /// Sign-outs succeed unless scripted otherwise.
  public func answerSignOut(_ results: Result<Void, AuthenticationError>...) {
    contents.update { $0.signOuts.add(results) }
  }

  /// The next sessions that are wanted; unless scripted, it is the state's, or ``AuthenticationError/notSignedIn``.
  public func answerSession(_ results: Result<AuthSession, AuthenticationError>...) {
    contents.update { $0.sessions.add(results) }
  }

  /// Holds the results of this call back until ``release(_:)``, or until its caller is cancelled.
  public func hold(_ call: Call) { gates[call]?.close() }
  /// Lets the held results of this call go, and every later one.
  public func release(_ call: Call) { gates[call]?.open() }
  /// Returns as soon as `count` of these calls have arrived, or the task is cancelled.
  public func waitForArrival(of call: Call, count: Int = 1) async { await gates[call]?.waitForArrivals(count) }

  private func answer<Value: Sendable>(
    _ message: Message, of call: Call, _ script: (inout Contents) -> Result<Value, AuthenticationError>
  ) async throws(AuthenticationError) -> Value {
    let answer = contents.update { contents in
      contents.messages.append(message)
      return script(&contents)
    }
    await gates[call]?.pass()
    if Task.isCancelled { throw .cancelled }
    return try answer.get()
  }
}

extension ScriptedAuthManager: AuthenticationUseCase {
  /// Returns the scripted result: a session of that user, which must be the reauthenticating one, or the challenge of
  /// a ``AuthenticationError/challengeRequired``.
  public func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    let method = request.credentials.method
    let user: User
    do throws(AuthenticationError) {
      user = try await answer(
        request.createsAccount ? .signUp(method) : .signIn(method), of: request.createsAccount ? .signUp : .signIn
      ) { $0.signIns.next() ?? .failure(.unsupportedMethod(method)) }
    } catch {
      if error == .challengeRequired, let challenge = error.challenge { return .challenge(challenge) }
      throw error
    }
    if let present = request.reauthenticatedUser, present.id != user.id { throw .userMismatch }
    return .session(AuthSession(user: user, tokens: .sample(receivedAt: .distantPast)))
  }
}

extension ScriptedAuthManager: SessionControl {
  public var state: AuthenticationState { contents.value.state }

  public func states() -> AsyncStream<AuthenticationState> {
    let (stream, listener) = AsyncStream.makeStream(of: AuthenticationState.self, bufferingPolicy: .bufferingNewest(1))
    contents.update { contents in
      contents.listeners.append(listener)
      listener.yield(contents.state)
    }
    return stream
  }

  @discardableResult
  public func restore() async -> AuthenticationState {
    contents.update { contents in
      contents.messages.append(.restore)
      return contents.state
    }
  }

  public func signOut(scope: SignOutScope, losing loss: SignOutLoss?) async throws(AuthenticationError) {
    try await answer(.signOut, of: .signOut) { contents in
      contents.requestedSignOuts.append(SignOutRequest(scope: scope, loss: loss))
      return contents.signOuts.next() ?? .success(())
    }
  }
}

extension ScriptedAuthManager: SessionSource {
  public func validSession(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AuthSession {
    try await answer(.validSession(rejecting: rejected), of: .validSession) { contents in
      if let scripted = contents.sessions.next() { return scripted }
      guard let session = contents.state.session else { return .failure(.notSignedIn) }
      return session.accessToken == rejected ? .failure(.sessionExpired) : .success(session)
    }
  }
}
