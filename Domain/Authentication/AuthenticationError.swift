/// Why authentication failed: a code to switch on, a message and a suggestion for a developer, a cause without secrets.
///
/// Two errors are equal when their codes are. No text holds a token, a password, or text from a server's response.
///
/// ```swift
/// switch error.code {
/// case .invalidCredentials: show("wrong password")
/// case .cancelled: break
/// default: show(error.code)
/// }
/// ```
public struct AuthenticationError: Error, Sendable {
  /// An open set of reasons; compare with `==`, and keep a default branch.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// What a failure means for the session and for the attempt.
    public enum Disposition: Sendable {
      /// The provider has ended the session, or will not start one for this account.
      case endsSession
      /// Trying the same again later may help.
      case transient
      /// The person can correct what was entered, or choose another way; the attempt goes on.
      case attempt
      /// Nothing follows from it: the session and the attempt stay as they are.
      case other
    }

    /// The code in logs: stable, and the same for equal codes.
    public let description: String
    /// What it means for the session and for the attempt; not compared.
    public let disposition: Disposition

    /// A code of your own; prefix it with your provider's name, in lower snake case.
    public init(_ description: String, _ disposition: Disposition = .other) {
      self.description = description
      self.disposition = disposition
    }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.description == rhs.description }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
  }

  /// The lower-level error, reduced to its kind and number: its text may quote a URL or a body.
  public struct Cause: Sendable, Hashable {
    /// Where the number comes from, such as `URLError` or `OSStatus`.
    public let domain: String
    /// The lower-level number; nil if there is none.
    public let code: Int?

    /// A cause by kind and number; never put the lower-level error's message into it.
    public init(domain: String, code: Int? = nil) {
      self.domain = domain
      self.code = code
    }
  }

  private struct Contents {
    let code: Code
    let message: String
    let suggestion: String?
    var cause: Cause?
    var retryAfter: Duration?
    var requiredScopes: [String] = []
    var challenge: Challenge?
    var check: SecurityCheck?
    var providerCode: String?
    var clockOffset: Duration?
    var requirements: AuthenticationRequirements?
    var passwordRules: [String] = []
    var attemptsLeft: Int?
    var loss: SignOutLoss?
    var isHeldOff = false
  }

  // Behind one reference: every call that may fail has room for an error in its frame.
  private var contents: Boxed<Contents>

  /// What to switch on, and all that `==` compares.
  public var code: Code { contents.value.code }
  /// For a developer: what happened, to what. Never shown to a person.
  public var message: String { contents.value.message }
  /// For a developer: what to do next.
  public var suggestion: String? { contents.value.suggestion }
  /// The lower-level error, if there was one.
  public var cause: Cause? {
    get { contents.value.cause }
    set { contents.value.cause = newValue }
  }
  /// How long to wait before the next request: as the provider asked, or until failed refreshes are tried again; nil if
  /// nothing says so.
  public var retryAfter: Duration? {
    get { contents.value.retryAfter }
    set { contents.value.retryAfter = newValue }
  }
  /// The scopes a resource asked for, with ``Code/insufficientScope`` (RFC 6750 §3.1).
  public var requiredScopes: [String] {
    get { contents.value.requiredScopes }
    set { contents.value.requiredScopes = newValue }
  }
  /// The step that must be answered first, with ``Code/challengeRequired``: by a sign-in, or by the `proof` of the account
  /// service that threw it. With ``Code/recentSignInRequired`` a step for ``AccountServices/answer(_:)``, after which
  /// the service is asked again. With a wrong proof the challenge that replaces the one that was answered.
  public var challenge: Challenge? {
    get { contents.value.challenge }
    set { contents.value.challenge = newValue }
  }
  /// Which check failed, with ``Code/security``.
  public var check: SecurityCheck? {
    get { contents.value.check }
    set { contents.value.check = newValue }
  }
  /// The provider's own code for this failure, such as `invalid_grant` (RFC 6749 §5.2); never its message.
  public var providerCode: String? {
    get { contents.value.providerCode }
    set { contents.value.providerCode = newValue }
  }
  /// How far this device's clock is ahead of the provider's, with ``Code/clockSkewed``; negative if it is behind.
  public var clockOffset: Duration? {
    get { contents.value.clockOffset }
    set { contents.value.clockOffset = newValue }
  }
  /// How the person must have signed in, with ``Code/insufficientUserAuthentication`` (RFC 9470 §3).
  public var requirements: AuthenticationRequirements? {
    get { contents.value.requirements }
    set { contents.value.requirements = newValue }
  }

  /// What a password must be like, for a developer to phrase, with ``Code/weakPassword``; empty if the provider did not
  /// say.
  public var passwordRules: [String] {
    get { contents.value.passwordRules }
    set { contents.value.passwordRules = newValue }
  }

  /// How many wrong answers the provider still takes, with ``Code/wrongCode``; nil if it did not say. None with
  /// ``Code/tooManyAttempts``.
  public var attemptsLeft: Int? {
    get { contents.value.attemptsLeft ?? (code == .tooManyAttempts ? 0 : nil) }
    set { contents.value.attemptsLeft = newValue }
  }

  /// What would be lost for ever, with ``Code/confirmationRequired``.
  public var loss: SignOutLoss? {
    get { contents.value.loss }
    set { contents.value.loss = newValue }
  }

  /// Whether a refresh was refused by the schedule of earlier failures, and nothing was sent.
  var isHeldOff: Bool {
    get { contents.value.isHeldOff }
    set { contents.value.isHeldOff = newValue }
  }

  /// An error of a provider or storage of your own; no text may hold a secret or text from a response.
  ///
  /// - Parameters:
  ///   - code: what to switch on, and all that `==` compares.
  ///   - message: for a developer, what happened.
  ///   - suggestion: for a developer, what to do next.
  ///   - cause: the lower-level error, if there was one.
  public init(_ code: Code, _ message: String, suggestion: String? = nil, cause: Cause? = nil) {
    contents = Boxed(Contents(code: code, message: message, suggestion: suggestion, cause: cause))
  }
}

extension AuthenticationError: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
}

extension AuthenticationError: CustomReflectable {
  public var customMirror: Mirror { contents.mirror(of: self) }
}

extension AuthenticationError: CustomStringConvertible {
  public var description: String {
    var text = "\(code): \(message)"
    if let suggestion { text += " \(suggestion)" }
    if let cause { text += " [\(cause.domain)\(cause.code.map { " \($0)" } ?? "")]" }
    return text
  }
}
