public import AuthenticationDomain
import Synchronization

/// A provider that answers what a test scripted, records what it was asked, and can hold its answers back.
///
/// A call nobody scripted answers ``AuthenticationError/Code/unsupportedMethod``: it never invents a session.
public final class ScriptedAuthProvider: SignUpProvider, SessionValidatingProvider {
  public enum Message: Sendable, Equatable {
    case signIn(SignInMethod)
    case signUp(SignInMethod)
    case refresh(AuthSession)
    case revoke(SessionTokens)
    case isValid(AuthSession)
  }

  public enum Call: Sendable, Hashable { case signIn, signUp, refresh, revoke, isValid }

  private struct Contents {
    var messages: [Message] = []
    var signIns: [Result<SignInOutcome, AuthenticationError>] = []
    var refreshes: [Result<SessionTokens, AuthenticationError>] = []
    var revocations: [Result<Void, AuthenticationError>] = []
    var validities: [Result<Bool, AuthenticationError>] = []
  }

  private let contents = Mutex(Contents())
  private let gates: [Call: Gate] = [
    .signIn: Gate(), .signUp: Gate(), .refresh: Gate(), .revoke: Gate(), .isValid: Gate(),
  ]

  public init() {}

  public var messages: [Message] { contents.withLock { $0.messages } }

  /// The next sign-in or sign-up answers this; the last one scripted goes on answering.
  public func answerSignIn(_ results: Result<SignInOutcome, AuthenticationError>...) {
    contents.withLock { $0.signIns += results }
  }

  public func answerRefresh(_ results: Result<SessionTokens, AuthenticationError>...) {
    contents.withLock { $0.refreshes += results }
  }

  /// Revocations succeed unless scripted otherwise.
  public func answerRevocation(_ results: Result<Void, AuthenticationError>...) {
    contents.withLock { $0.revocations += results }
  }

  public func answerValidity(_ results: Result<Bool, AuthenticationError>...) {
    contents.withLock { $0.validities += results }
  }

  /// Holds the answers to this call back until ``release(_:)``.
  public func hold(_ call: Call) { gates[call]?.close() }
  public func release(_ call: Call) { gates[call]?.open() }

  /// Returns as soon as `count` of these calls have arrived.
  public func waitForArrival(of call: Call, count: Int = 1) async { await gates[call]?.waitForArrivals(count) }

  public func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    let method = credentials.method
    let answer = note(.signIn(method)) { Self.next(&$0.signIns) ?? .failure(.unsupportedMethod(method)) }
    await gates[.signIn]?.pass()
    return try answer.get()
  }

  public func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    let method = credentials.method
    let answer = note(.signUp(method)) { Self.next(&$0.signIns) ?? .failure(.unsupportedMethod(method)) }
    await gates[.signUp]?.pass()
    return try answer.get()
  }

  public func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    let answer = note(.refresh(session)) { Self.next(&$0.refreshes) ?? .failure(.notScripted) }
    await gates[.refresh]?.pass()
    return try answer.get()
  }

  public func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) {
    let answer = note(.revoke(tokens)) { Self.next(&$0.revocations) ?? .success(()) }
    await gates[.revoke]?.pass()
    try answer.get()
  }

  public func isValid(_ session: AuthSession) async throws(AuthenticationError) -> Bool {
    let answer = note(.isValid(session)) { Self.next(&$0.validities) ?? .failure(.notScripted) }
    await gates[.isValid]?.pass()
    return try answer.get()
  }

  private func note<Answer: Sendable>(
    _ message: Message, _ answer: (inout Contents) -> Result<Answer, AuthenticationError>
  ) -> Result<Answer, AuthenticationError> {
    contents.withLock { contents in
      contents.messages.append(message)
      return answer(&contents)
    }
  }

  private static func next<Answer>(_ answers: inout [Answer]) -> Answer? {
    answers.count > 1 ? answers.removeFirst() : answers.first
  }
}

extension AuthenticationError {
  static let notScripted = AuthenticationError(.unsupportedMethod, "No answer was scripted for this call.")
}
