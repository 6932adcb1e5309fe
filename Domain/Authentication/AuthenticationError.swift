/// Why authentication failed: a code to switch on, a message and a suggestion for a developer, a cause without secrets.
///
/// Two errors are equal when their codes are. The set of codes is open: keep a default branch. No text holds a token,
/// a password, or text from a server's response.
///
/// ```swift
/// switch error {
/// case .invalidCredentials: show("wrong password")
/// case .cancelled: break
/// default: show(error.code)
/// }
/// ```
@dynamicMemberLookup
public struct AuthenticationError: Error, Sendable, BoxedValue {
  /// The effect of a failure on the session and on the attempt.
  public enum Disposition: Sendable {
    /// The provider has ended the session, or will not start one for this account.
    case endsSession
    /// Trying the same again later may help.
    case transient
    /// The user can correct the input, or choose another method; the attempt continues.
    case attempt
    /// Nothing follows from it: the session and the attempt stay as they are.
    case other
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

  /// Details that only some failures have. Each is read and set as one of the error's own: `error.retryAfter`.
  public struct Details: Sendable {
    /// The lower-level error, if there was one.
    public var cause: Cause?
    /// How long to wait before the next request: as the provider asked, or until failed refreshes are tried again; nil
    /// if nothing says so.
    public var retryAfter: Duration?
    /// The scopes a resource asked for, with ``AuthenticationError/insufficientScope`` (RFC 6750 §3.1).
    public var requiredScopes: [String] = []
    /// The step that must be answered first, with ``AuthenticationError/challengeRequired``: by a sign-in, or by the
    /// `proof` of the account service that threw it. With ``AuthenticationError/recentSignInRequired`` a step for
    /// ``AccountChange/answer(_:)``, after which the service is asked again. With a wrong proof the challenge that
    /// replaces the one that was answered.
    public var challenge: Challenge?
    /// Why, if the code alone is too coarse: with ``AuthenticationError/security`` the check that failed.
    public var reason: FailureReason?
    /// The provider's own code for this failure, such as `invalid_grant` (RFC 6749 §5.2); never its message, nor
    /// a text that the request held.
    public var providerCode: String?
    /// How far this device's clock is ahead of the provider's, with ``AuthenticationError/clockSkewed``; negative if it
    /// is behind.
    public var clockOffset: Duration?
    /// How the user must have signed in, with ``AuthenticationError/insufficientUserAuthentication`` (RFC 9470 §3).
    public var requirements: AuthenticationRequirements?
    /// The rules for a password, for a developer to phrase, with ``AuthenticationError/weakPassword``; empty if the
    /// provider did not say.
    public var passwordRules: [String] = []
    /// How many wrong answers the provider still takes, with ``AuthenticationError/wrongCode``; nil if it did not say.
    /// None with ``AuthenticationError/tooManyAttempts``.
    public var attemptsLeft: Int?
    /// The loss that the user has to confirm, with ``AuthenticationError/confirmationRequired``.
    public var loss: SignOutLoss?
    /// The fate of the response to a refresh; nil if it may be lost, or if nothing was sent.
    package var response: ResponseOutcome?
    /// Whether the request had been sent twice already.
    package var isOfRepeat = false
    /// Whether a refresh was refused by the schedule of earlier failures, and nothing was sent.
    var isHeldOff = false
    /// Whether the app rejected the session that the provider made of the last answer: the challenge cannot be answered
    /// again.
    var spendsStep = false
  }

  /// Why a response that came was not used.
  package enum ResponseOutcome: String, Sendable, Codable {
    /// The server refused the request, and did not process it.
    case refused
    /// The server may have processed the request; its response has nothing that can be used.
    case unusable
  }

  struct Contents {
    let code: String
    let disposition: Disposition
    let message: String
    let suggestion: String?
    var details = Details()
  }

  // Behind one reference: every call that may fail has room for an error in its frame.
  private(set) var contents: Boxed<Contents>

  /// The stable code in logs, in lower snake case, and all that `==` compares.
  public var code: String { contents.value.code }
  /// The effect on the session and on the attempt.
  public var disposition: Disposition { contents.value.disposition }
  /// For a developer: the failure, and the object that it concerns. Never shown to a user.
  public var message: String { contents.value.message }
  /// The next step: an imperative to the user if the user can act, else to a developer.
  public var suggestion: String? { contents.value.suggestion }

  /// One of the ``Details``.
  public subscript<Value>(dynamicMember detail: WritableKeyPath<Details, Value>) -> Value {
    get { contents.value.details[keyPath: detail] }
    set { contents.value.details[keyPath: detail] = newValue }
  }

  /// This error with one of its details: `.rateLimited.with(\.retryAfter, .seconds(30))`.
  public func with<Value>(_ detail: WritableKeyPath<Details, Value>, _ value: Value) -> Self {
    var error = self
    error[dynamicMember: detail] = value
    return error
  }

  /// An error of the table with another message; no text may hold a secret or text from a response.
  ///
  /// - Parameters:
  ///   - kind: the error whose code and disposition this one has; `==` says that both are equal.
  ///   - message: for a developer, the failure.
  ///   - suggestion: for a developer, the next step.
  ///   - cause: the lower-level error, if there was one.
  public init(_ kind: Self, _ message: String, suggestion: String? = nil, cause: Cause? = nil) {
    contents = Boxed(
      Contents(
        code: kind.code, disposition: kind.disposition, message: message, suggestion: suggestion,
        details: Details(cause: cause, attemptsLeft: kind.attemptsLeft)))
  }

  /// An error with a custom code, which the table of this library does not have.
  ///
  /// - Parameters:
  ///   - code: in lower snake case, with your provider's name in front.
  ///   - message: for a developer, the failure; no secret, and no text from a response.
  ///   - disposition: its effect on the session and on the attempt; by default none.
  ///   - suggestion: for a developer, the next step.
  public init(code: String, _ message: String, disposition: Disposition = .other, suggestion: String? = nil) {
    self.init(code, disposition, message, suggestion)
  }

  private init(_ code: String, _ disposition: Disposition, _ message: String, _ suggestion: String? = nil) {
    contents = Boxed(Contents(code: code, disposition: disposition, message: message, suggestion: suggestion))
  }
}

extension AuthenticationError: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension AuthenticationError: CustomStringConvertible {
  public var description: String {
    var text = "\(code): \(message)"
    if let suggestion { text += " \(suggestion)" }
    if let cause = self.cause { text += " [\(cause.domain)\(cause.code.map { " \($0)" } ?? "")]" }
    return text
  }
}

/// The table of errors: code, disposition, message, suggestion.
extension AuthenticationError {
  // Errors of the input.
  /// The user name is empty or only white space.
  public static let blankUserName = Self(
    "blank_user_name", .attempt, "The user name is empty or only white space.", "Ask for it before signing in.")
  /// The password is empty.
  public static let emptyPassword = Self(
    "empty_password", .attempt, "The password is empty.", "Ask for it before signing in.")
  /// The user has not agreed to terms without which no account is created.
  public static let termsNotAccepted = Self(
    "terms_not_accepted", .attempt, "The user has not agreed to the required terms.", "Ask for their consent first.")
  /// The code that answers a challenge is empty.
  public static let emptyCode = Self("empty_code", .attempt, "The code is empty.", "Ask for it before answering.")
  /// The phone number is not in E.164 form.
  public static let invalidPhoneNumber = Self(
    "invalid_phone_number", .attempt, "The phone number is not in E.164 form.", "Use a plus sign and 7 to 15 digits.")
  /// The e-mail address does not have one @ between two parts without spaces.
  public static let invalidEmailAddress = Self(
    "invalid_email_address", .attempt, "The e-mail address does not have one @ between two parts.", "Ask for it again.")
  /// The code cannot be the one asked for: too short, too long, or with characters that no such code has.
  public static let malformedCode = Self(
    "malformed_code", .attempt, "The code does not have the length or the characters of the one that was sent.",
    "Ask for it again; nothing was sent.")
  /// The link is not one that this attempt waits for.
  public static let invalidLink = Self(
    "invalid_link", .attempt, "The link is not one that this attempt waits for.", "Send another one.")
  /// The answer belongs to a challenge that is no longer asked.
  public static let challengeReplaced = Self(
    "challenge_replaced", .attempt, "The answer belongs to an earlier challenge.", "Show the current challenge.")

  // Errors of a provider's response during an attempt.
  /// The provider refused the credentials: let the user correct them.
  public static let invalidCredentials = Self(
    "invalid_credentials", .attempt, "The provider refused the credentials.", "Check the user name and the password.")
  /// The code is not the one that was sent or shown; the attempt goes on.
  public static let wrongCode = Self("wrong_code", .attempt, "The code is wrong.", "Type it again.")
  /// The code or link was right, and is no longer accepted: ask for another one.
  public static let codeExpired = Self(
    "code_expired", .attempt, "The code or link is no longer accepted.", "Send another one.")
  /// A one-time password was used before: the user waits for the next one (RFC 6238 §5.2).
  public static let codeReused = Self(
    "code_reused", .attempt, "The one-time password was used before.", "Wait for the next one.")
  /// Too many wrong answers; see ``Details/retryAfter`` for when to try again.
  public static let tooManyAttempts = Self(
    "too_many_attempts", .attempt, "Too many wrong answers.", "Wait, or begin again."
  ).with(\.attemptsLeft, 0)
  /// There is an account with this user name, address or number.
  public static let accountExists = Self("account_exists", .attempt, "There is an account already.", "Sign in to it.")
  /// The password does not meet the provider's rules; see ``Details/passwordRules``.
  public static let weakPassword = Self(
    "weak_password", .attempt, "The password does not meet the provider's rules.", "Tell the user the rules.")
  /// The provider wants proof that a user is there; see ``SignInInput/attributes``.
  public static let captchaRequired = Self(
    "captcha_required", .attempt, "The provider asks for a captcha.", "Give its token as an attribute of the attempt.")
  /// The credentials that were to be linked belong to another account.
  public static let alreadyLinked = Self(
    "already_linked", .attempt, "What was to be linked belongs to another account.", "Sign in to that account.")
  /// The provider wants a fresh sign-in before it does this; see ``Details/challenge`` for a step that does
  /// instead.
  public static let recentSignInRequired = Self(
    "recent_sign_in_required", .attempt, "The provider asks for a fresh sign-in first.", "Sign in again, then repeat.")
  /// Another user has signed in than the one who is to be present; see ``SignInRequest/reauthenticatedUser``.
  public static let userMismatch = Self(
    "user_mismatch", .attempt,
    "Another user has signed in than the one whose session it is; the session was not changed.",
    "Sign in again as the user of the session.")
  /// The last way to sign in to an account cannot be removed.
  public static let lastMethod = Self(
    "last_method", .attempt, "The last way to sign in to an account cannot be removed.", "Add another one first.")
  /// The account is disabled or deleted.
  public static let userDisabled = Self(
    "user_disabled", .endsSession, "The account is disabled or deleted.", "Contact support.")
  /// The provider refused to create the account.
  public static let signUpRefused = Self(
    "sign_up_refused", .attempt, "The provider created no account.", "Choose another user name or a stronger password.")

  // Requests that the provider cannot or will not fulfil.
  /// The provider does not support the request, such as this method or sign-up.
  public static let unsupportedMethod = Self(
    "unsupported_method", .other, "The provider does not support this.", "Choose another method or another provider.")
  /// A second step must be answered first; see ``Details/challenge``.
  public static let challengeRequired = Self(
    "challenge_required", .other, "The provider asks for a second step.",
    "Sign in with a ChallengeAnswer to the error's challenge, or pass it to the account service as proof.")
  /// The provider refused the refresh token in a well-formed response, which ends the session.
  public static let sessionRejected = Self(
    "session_rejected", .endsSession, "The provider no longer accepts this session.", "Sign in again.")
  /// The provider refused a refresh token after the response to an earlier refresh with it was lost: the session ended,
  /// although neither the user nor the app ended it.
  public static let ambiguousLoss = Self(
    "ambiguous_loss", .other,
    "The response to an earlier refresh was lost, and the provider no longer accepts this session.",
    "Sign in again; the stored user is kept.")
  /// The authenticator, or a vendor's sheet, could not ask the user; the cause has its number.
  public static let authenticatorFailed = Self(
    "authenticator_failed", .other, "The authenticator could not ask the user.", "Offer another way to sign in.")
  /// The session lacks a scope that a resource asks for (RFC 6750 §3.1).
  public static let insufficientScope = Self(
    "insufficient_scope", .other, "The session lacks a scope that the resource asks for.", "Sign in and ask for it.")
  /// The provider gives the session no access token for a resource (`invalid_target`, RFC 8707 §2), or one for something
  /// else; the session is kept.
  public static let resourceRefused = Self(
    "resource_refused", .other, "The provider gives this session no access token for the resource.",
    "Check the resource, its scopes, and what the client may ask for.")
  /// A resource asks that the user signs in again, or more strongly (RFC 9470 §3); see
  /// ``Details/requirements``.
  public static let insufficientUserAuthentication = Self(
    "insufficient_user_authentication", .other, "The resource asks for another sign-in.", "Sign in again as required.")
  /// The user declined, or the provider did so on the user's behalf (`access_denied`, RFC 6749 §4.1.2.1).
  public static let declined = Self(
    "declined", .attempt, "The user, or the provider on the user's behalf, declined.", "Sign in again.")
  /// The user did not finish in the time the provider gave (RFC 8628 §3.5).
  public static let signInExpired = Self(
    "sign_in_expired", .attempt, "The sign-in was not finished in the time the provider gave.", "Begin a new one.")
  /// The provider does not accept this app: its client id, its secret, or the permissions that it requests.
  public static let clientRejected = Self(
    "client_rejected", .other, "The provider does not accept this app.", "Check its client id, secret and permissions.")
  /// Too many requests (429, RFC 6585 §4); see ``Details/retryAfter``.
  public static let rateLimited = Self(
    "rate_limited", .transient, "The provider asks for fewer requests.", "Wait before trying again.")
  /// The provider failed (5xx); trying again may help.
  public static let serverFailed = Self("server_failed", .transient, "The provider failed.", "Try again later.")
  /// The server has no such endpoint: the configuration names a wrong path.
  public static let endpointMissing = Self(
    "endpoint_missing", .other, "The provider has no such endpoint.", "Check the configured URL and paths.")
  /// The response does not conform to the protocol or the contract.
  public static let unexpectedResponse = Self(
    "unexpected_response", .other, "The response does not conform to the protocol.", "Check which server responds.")
  /// The credentials that the user signed in with, or an address of the account, are not verified.
  public static let notVerified = Self(
    "not_verified", .attempt, "What the user signed in with, or an address of the account, is not verified.",
    "Check which audience and nonce the server expects, or let the user verify the address.")

  // Responses that must not be trusted.
  /// A response failed a check; see ``Details/reason``. None of it was stored.
  public static let security = Self("security", .other, "A response failed a check; nothing of it was stored.")
  /// This device's clock and the provider's differ too much; see ``Details/clockOffset``.
  public static let clockSkewed = Self(
    "clock_skewed", .other, "This device's clock and the provider's differ too much.", "Set the device's clock.")

  // Requests and connections.
  /// The request cannot be sent as it is.
  public static let invalidRequest = Self("invalid_request", .other, "The request cannot be sent as it is.")
  /// No connection was made: the provider has not seen the request.
  public static let unreachable = Self(
    "unreachable", .transient, "The provider cannot be reached.", "Try again when there is a connection.")
  /// The connection broke after the request may have been processed.
  public static let connectionLost = Self(
    "connection_lost", .transient, "The connection was lost before the provider's response came.", "Try again.")
  /// No response came before the timeout; the request may have been processed.
  public static let timedOut = Self(
    "timed_out", .transient, "No response came before the timeout.", "Try again; a session that exists is kept.")
  /// The response is longer than the client's limit in bytes.
  public static let responseTooLarge = Self(
    "response_too_large", .other, "The provider's response is longer than the limit.", "Check which server responds.")
  /// The caller's task was cancelled.
  public static let cancelled = Self("cancelled", .other, "The call was cancelled.")
  /// The URL is neither https nor on this machine, or no trusted TLS connection could be made; nothing was sent.
  public static let insecureConnection = Self(
    "insecure_connection", .other, "No secure connection could be made.", "Check the URL's scheme and the certificate.")

  // The session.
  /// A session is needed, and no user is signed in.
  public static let notSignedIn = Self("not_signed_in", .other, "Nobody is signed in.", "Sign in first.")
  /// A sign-out would lose something for ever, and the caller did not name it; see ``SignOutLoss``. Nothing changed.
  public static let confirmationRequired = Self(
    "confirmation_required", .other, "The sign-out would lose something for ever.", "Ask the user, then name the loss.")
  /// The user is signed out here, and may still be signed in on other devices.
  public static let otherSessionsRemain = Self(
    "other_sessions_remain", .other, "The session has ended here; those on other devices could not be ended.")
  /// The access token has expired and there is no refresh token, or the provider seems to have forgotten the session;
  /// see ``ActiveSession/Freshness/expired``.
  public static let sessionExpired = Self(
    "session_expired", .other, "The access token has expired and the session has no refresh token.", "Sign in again.")
  /// A resource refused an access token that had just replaced a refused one: another refresh would not help.
  public static let accessTokenRefused = Self(
    "access_token_refused", .other, "The resource refuses an access token that the provider has just issued.",
    "Check which issuer and audience the resource accepts, and its clock.")
  /// A later sign-in or sign-out overtook this call; its tokens were discarded.
  public static let superseded = Self(
    "superseded", .other, "A later sign-in or sign-out replaced this one.", "Follow the stream of states.")
  /// The request's origin is not one that may have the token; nothing was sent.
  public static let originNotAllowed = Self(
    "origin_not_allowed", .other, "The request's origin may not have the access token; nothing was sent.",
    "Name the origin where the API client is made.")

  // The store. None of these ends a session.
  /// The store is locked, or cannot be read or written now: this is not "absent".
  public static let storageUnavailable = Self(
    "storage_unavailable", .transient, "The store cannot be read or written now.", "Try again later; nothing was lost.")
  /// The store asked the user to unlock it (face, fingerprint, passcode, the keyring's password) and stayed locked:
  /// ask again when the user wants to continue. Nothing was lost.
  public static let userPresenceRequired = Self(
    "user_presence_required", .transient, "The user did not unlock the store.", "Ask again when the user continues.")
  /// This version cannot read the content of the store, which was left as it is.
  public static let storageCorrupt = Self("storage_corrupt", .other, "What is stored cannot be read.", "Sign in again.")

  // The app's own configuration.
  /// The port on this machine that should receive the redirect is in use.
  public static let redirectPortBusy = Self(
    "redirect_port_busy", .other, "The port for the redirect is in use.", "Close the program that uses it.")
  /// No browser could be opened on this device.
  public static let browserUnavailable = Self(
    "browser_unavailable", .other, "No browser could be opened on this device.", "Use the device flow.")
  /// The configuration cannot work; thrown when the app is composed.
  public static let invalidConfiguration = Self("invalid_configuration", .other, "The configuration cannot work.")
  /// `Auth` was used before `Auth.configure`.
  public static let notConfigured = Self(
    "not_configured", .other, "Auth was used before Auth.configure.", "Call Auth.configure when the app starts.")
}

/// Errors with details.
extension AuthenticationError {
  /// A method that the provider does not know.
  public static func unsupportedMethod(_ method: SignInMethod) -> Self {
    Self(
      .unsupportedMethod, "This provider cannot sign in with the method '\(method.id)'.",
      suggestion: "Choose another method or another provider.")
  }

  /// A provider that creates no accounts.
  package static let signUpUnsupported = Self(
    .unsupportedMethod, "This provider creates no accounts.", suggestion: "Use one whose createsAccounts is true.")

  /// The service refuses a refresh without rejecting the refresh token (RFC 6749 §5.2, `invalid_request` or
  /// `invalid_client`, or no code that is known); set ``Details/providerCode``.
  package static let refreshRefused = Self(
    .clientRejected, "The provider refuses to refresh the session, and does not say that it has ended.",
    suggestion: "Try again later; the session is kept. If that lasts, sign in again."
  ).with(\.reason, .refresh)

  /// A second step that the provider asks for, in ``Details/challenge``.
  public static func challengeRequired(_ challenge: Challenge) -> Self {
    Self(
      .challengeRequired, "The provider asks for a second step ('\(challenge.kind.id)').",
      suggestion: challengeRequired.suggestion
    ).with(\.challenge, challenge)
  }

  /// A configuration that cannot work, found when the app is composed.
  ///
  /// - Parameters:
  ///   - message: for a developer, the mistake; it names no secret.
  ///   - suggestion: for a developer, the next step.
  ///   - parameter: its name in code, which becomes the reason; nil if several are at fault.
  public static func invalidConfiguration(
    _ message: String, suggestion: String? = nil, of parameter: String? = nil
  ) -> Self {
    Self(.invalidConfiguration, message, suggestion: suggestion).with(\.reason, parameter.map(FailureReason.init))
  }
}

extension Result where Failure == AuthenticationError {
  /// The error of a failure.
  package var failure: AuthenticationError? {
    if case .failure(let error) = self { error } else { nil }
  }
}
