public import AuthenticationDomain
import Synchronization

/// A provider that returns the results that a test scripted, records its calls, and can hold its results back.
///
/// A call that is not scripted throws ``AuthenticationError/unsupportedMethod``: it never invents a session.
///
/// ```swift
/// let provider = ScriptedAuthProvider()
/// provider.answerSignIn(.success(.session(.sample(receivedAt: now))))
/// provider.answerRefresh(.failure(.unreachable), .success(.sample(2, receivedAt: now)))
/// let root = try MainRoot(.custom(provider)) { $0.storage = .inMemory }
/// ```
public final class ScriptedAuthProvider: SessionValidatingProvider, ResourceAuthProvider {
  /// The calls of the provider, with their arguments; no password is kept.
  public enum Message: Sendable, Equatable {
    /// Credentials of this method came to sign in.
    case signIn(SignInMethod)
    /// Credentials of this method came to sign up.
    case signUp(SignInMethod)
    /// This session was to be refreshed.
    case refresh(AuthSession)
    /// This session was to get an access token for this resource.
    case refreshResource(AuthSession, ProtectedResource)
    /// These tokens were to be revoked.
    case revoke(SessionTokens)
    /// This session was to be validated.
    case isValid(AuthSession)
  }

  /// Which call to hold back or to wait for.
  public enum Call: Sendable, Hashable {
    /// A sign-in.
    case signIn
    /// A sign-up.
    case signUp
    /// A refresh, also for a resource.
    case refresh
    /// A revocation.
    case revoke
    /// A question whether a session is valid.
    case isValid
  }

  private struct Contents {
    var messages: [Message] = []
    var challengeAnswers: [ChallengeAnswer] = []
    var signIns = Script<SignInOutcome>()
    var refreshes = Script<SessionTokens>()
    var resources = Script<ResourceTokens>()
    var revocations = Script<Void>()
    var validities = Script<Bool>()
  }

  private let contents = Mutex(Contents())
  private let gates: [Call: Gate] = [
    .signIn: Gate(), .signUp: Gate(), .refresh: Gate(), .revoke: Gate(), .isValid: Gate(),
  ]

  /// Nothing is scripted, and nothing held back.
  public init() {}

  /// Everything it was asked so far, in order of arrival.
  public var messages: [Message] { contents.withLock { $0.messages } }

  /// The answers to challenges that were sent so far.
  public var challengeAnswers: [ChallengeAnswer] { contents.withLock { $0.challengeAnswers } }

  /// The result of the next sign-in or sign-up; the last one is repeated.
  public func answerSignIn(_ results: Result<SignInOutcome, AuthenticationError>...) {
    contents.withLock { $0.signIns.add(results) }
  }

  /// The results of the next refreshes; the last one is repeated.
  public func answerRefresh(_ results: Result<SessionTokens, AuthenticationError>...) {
    contents.withLock { $0.refreshes.add(results) }
  }

  /// The results of the next refreshes for a resource; the last one is repeated.
  public func answerResource(_ results: Result<ResourceTokens, AuthenticationError>...) {
    contents.withLock { $0.resources.add(results) }
  }

  /// Revocations succeed unless scripted otherwise.
  public func answerRevocation(_ results: Result<Void, AuthenticationError>...) {
    contents.withLock { $0.revocations.add(results) }
  }

  /// The results of the next validations; the last one is repeated.
  public func answerValidity(_ results: Result<Bool, AuthenticationError>...) {
    contents.withLock { $0.validities.add(results) }
  }

  /// Holds the results of this call back until ``release(_:)``, as a provider does that ignores cancellation.
  public func hold(_ call: Call) { gates[call]?.close() }
  /// Lets the held results of this call go, and every later one.
  public func release(_ call: Call) { gates[call]?.open() }

  /// Returns as soon as `count` of these calls have arrived.
  public func waitForArrival(of call: Call, count: Int = 1) async { await gates[call]?.waitForArrivals(count) }

  public var createsAccounts: Bool { true }

  public func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    let method = request.credentials.method
    if let answer = request.credentials as? ChallengeAnswer { contents.withLock { $0.challengeAnswers.append(answer) } }
    let answer = note(request.createsAccount ? .signUp(method) : .signIn(method)) {
      $0.signIns.next() ?? .failure(.unsupportedMethod(method))
    }
    await pass(request.createsAccount ? .signUp : .signIn)
    return try answer.get()
  }

  public func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    let answer = note(.refresh(session)) { $0.refreshes.next() ?? .failure(.notScripted) }
    await pass(.refresh)
    return try answer.get()
  }

  public func refresh(
    _ session: AuthSession, for resource: ProtectedResource
  ) async throws(AuthenticationError) -> ResourceTokens {
    let answer = note(.refreshResource(session, resource)) { $0.resources.next() ?? .failure(.notScripted) }
    await pass(.refresh)
    return try answer.get()
  }

  public func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    let answer = note(.revoke(tokens)) { $0.revocations.next() ?? .success(()) }
    await pass(.revoke)
    try answer.get()
  }

  public func isValid(_ session: AuthSession) async throws(AuthenticationError) -> Bool {
    let answer = note(.isValid(session)) { $0.validities.next() ?? .failure(.notScripted) }
    await pass(.isValid)
    return try answer.get()
  }

  private func pass(_ call: Call) async {
    let gate = gates[call]
    await Task { await gate?.pass() }.value
  }

  private func note<Answer: Sendable>(
    _ message: Message, _ answer: (inout Contents) -> Result<Answer, AuthenticationError>
  ) -> Result<Answer, AuthenticationError> {
    contents.withLock { contents in
      contents.messages.append(message)
      return answer(&contents)
    }
  }
}

extension AuthenticationError {
  static let notScripted = AuthenticationError(.unsupportedMethod, "No answer was scripted for this call.")
}

extension RemoteAuthProvider {
  /// Signs in, for a test.
  package func signIn(
    with credentials: any Credentials, attributes: [String: Secret] = [:]
  ) async throws(AuthenticationError) -> SignInOutcome {
    try await signIn(SignInRequest(credentials, attributes: attributes))
  }

  /// Creates an account, for a test.
  package func signUp(
    with credentials: any Credentials, attributes: [String: Secret] = [:]
  ) async throws(AuthenticationError) -> SignInOutcome {
    try await signIn(SignInRequest(credentials, attributes: attributes, createsAccount: true))
  }

  /// Revokes the tokens of the only session, for a test.
  package func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) {
    try await revoke(tokens, keepingOtherSessions: false)
  }
}
