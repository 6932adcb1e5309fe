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
      /// The user can correct what was entered, or choose another way; the attempt goes on.
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
    var spendsStep = false
  }

  // Behind one reference: every call that may fail has room for an error in its frame.
  private var contents: Boxed<Contents>

  /// What to switch on, and all that `==` compares.
  public var code: Code { contents.value.code }
  /// For a developer: what happened, to what. Never shown to a user.
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
  /// service that threw it. With ``Code/recentSignInRequired`` a step for ``AccountUseCase/answer(_:)``, after which
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
  /// How the user must have signed in, with ``Code/insufficientUserAuthentication`` (RFC 9470 §3).
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

  /// Whether the app rejected the session that the provider made of the last answer: the challenge cannot be answered
  /// again.
  var spendsStep: Bool {
    get { contents.value.spendsStep }
    set { contents.value.spendsStep = newValue }
  }

  /// This error, which leaves no challenge to answer again.
  var spendingStep: Self {
    var error = self
    error.spendsStep = true
    return error
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

extension AuthenticationError.Code {
  // What was entered.
  /// The user name is empty or only white space.
  public static let blankUserName = Self("blank_user_name", .attempt)
  /// The password is empty.
  public static let emptyPassword = Self("empty_password", .attempt)
  /// The code that answers a challenge is empty.
  public static let emptyCode = Self("empty_code", .attempt)
  /// The phone number is not in E.164 form.
  public static let invalidPhoneNumber = Self("invalid_phone_number", .attempt)

  /// The e-mail address does not have one @ between two parts without spaces.
  public static let invalidEmailAddress = Self("invalid_email_address", .attempt)
  /// The code cannot be the one asked for: too short, too long, or with characters that no such code has.
  public static let malformedCode = Self("malformed_code", .attempt)
  /// The link is not one that this attempt waits for.
  public static let invalidLink = Self("invalid_link", .attempt)
  /// The answer belongs to a challenge that is no longer asked.
  public static let challengeReplaced = Self("challenge_replaced", .attempt)

  // What the provider said.
  /// The provider refused the credentials: let the user correct them.
  public static let invalidCredentials = Self("invalid_credentials", .attempt)
  /// The code is not the one that was sent or shown; the attempt goes on.
  public static let wrongCode = Self("wrong_code", .attempt)
  /// The code or link was right, and is no longer accepted: ask for another one.
  public static let codeExpired = Self("code_expired", .attempt)
  /// A one-time password was used before: the user waits for the next one (RFC 6238 §5.2).
  public static let codeReused = Self("code_reused", .attempt)
  /// Too many wrong answers; see ``AuthenticationError/retryAfter`` for when to try again.
  public static let tooManyAttempts = Self("too_many_attempts", .attempt)
  /// There is an account with this user name, address or number.
  public static let accountExists = Self("account_exists", .attempt)
  /// The password does not meet the provider's rules; see ``AuthenticationError/passwordRules``.
  public static let weakPassword = Self("weak_password", .attempt)
  /// The provider wants proof that a user is there; see ``SignInInput/attributes``.
  public static let captchaRequired = Self("captcha_required", .attempt)
  /// What was to be linked belongs to another account.
  public static let alreadyLinked = Self("already_linked", .attempt)
  /// The provider wants a fresh sign-in before it does this; see ``AuthenticationError/challenge`` for a step that does
  /// instead.
  public static let recentSignInRequired = Self("recent_sign_in_required", .attempt)
  /// Another user has signed in than the one who is to be present; see ``SignInRequest/reauthenticatedUser``.
  public static let userMismatch = Self("user_mismatch", .attempt)
  /// The last way to sign in to an account cannot be removed.
  public static let lastMethod = Self("last_method", .attempt)
  /// The account is disabled or deleted.
  public static let userDisabled = Self("user_disabled", .endsSession)
  /// The provider refused to create the account.
  public static let signUpRefused = Self("sign_up_refused", .attempt)
  /// The provider cannot do what was asked, such as this method or sign-up.
  public static let unsupportedMethod = Self("unsupported_method")
  /// A second step must be answered first; see ``AuthenticationError/challenge``.
  public static let challengeRequired = Self("challenge_required")
  /// The provider refused the refresh token in a well-formed response, which ends the session.
  public static let sessionRejected = Self("session_rejected", .endsSession)
  /// The provider refused a refresh token after the response to an earlier refresh with it was lost: the session ended,
  /// although neither the user nor the app ended it.
  public static let ambiguousLoss = Self("ambiguous_loss")
  /// The authenticator, or a vendor's sheet, could not ask the user, for a reason of its own; the cause has its number.
  public static let authenticatorFailed = Self("authenticator_failed")
  /// The session lacks a scope that a resource asks for (RFC 6750 §3.1).
  public static let insufficientScope = Self("insufficient_scope")
  /// A resource asks that the user signs in again, or more strongly (RFC 9470 §3); see
  /// ``AuthenticationError/requirements``.
  public static let insufficientUserAuthentication = Self("insufficient_user_authentication")
  /// The user declined, or the provider did so on the user's behalf (`access_denied`, RFC 6749 §4.1.2.1).
  public static let declined = Self("declined", .attempt)
  /// The user did not finish in the time the provider gave (RFC 8628 §3.5).
  public static let signInExpired = Self("sign_in_expired", .attempt)
  /// The provider does not accept this app: its client id, its secret, or what it asks for.
  public static let clientRejected = Self("client_rejected")
  /// Too many requests (429, RFC 6585 §4); see ``AuthenticationError/retryAfter``.
  public static let rateLimited = Self("rate_limited", .transient)
  /// The provider failed (5xx); trying again may help.
  public static let serverFailed = Self("server_failed", .transient)
  /// The server has no such endpoint: the configuration names a wrong path.
  public static let endpointMissing = Self("endpoint_missing")
  /// The response does not conform to the protocol or the contract.
  public static let unexpectedResponse = Self("unexpected_response")

  /// The app's own server did not accept what the user signed in with.
  public static let notVerified = Self("not_verified", .attempt)

  // What must not be trusted.
  /// A response failed a check; see ``AuthenticationError/check``. None of it was stored.
  public static let security = Self("security")
  /// This device's clock and the provider's differ too much; see ``AuthenticationError/clockOffset``.
  public static let clockSkewed = Self("clock_skewed")

  // What happened on the way.
  /// The request cannot be sent as it is.
  public static let invalidRequest = Self("invalid_request")
  /// No connection was made: the provider has not seen the request.
  public static let unreachable = Self("unreachable", .transient)
  /// The connection broke after the request may have been processed.
  public static let connectionLost = Self("connection_lost", .transient)
  /// No response came before the timeout; the request may have been processed.
  public static let timedOut = Self("timed_out", .transient)
  /// The response is longer than the client's limit in bytes.
  public static let responseTooLarge = Self("response_too_large")
  /// The caller's task was cancelled.
  public static let cancelled = Self("cancelled")
  /// The URL is neither https nor on this machine, or no trusted TLS connection could be made; nothing was sent.
  public static let insecureConnection = Self("insecure_connection")

  // The session.
  /// A session is needed, and nobody is signed in.
  public static let notSignedIn = Self("not_signed_in")
  /// A sign-out would lose something for ever, and the caller did not name it; see ``SignOutLoss``. Nothing changed.
  public static let confirmationRequired = Self("confirmation_required")
  /// The user is signed out here, and may still be signed in on other devices.
  public static let otherSessionsRemain = Self("other_sessions_remain")
  /// The access token has expired and there is no refresh token, or the provider seems to have forgotten the session; see
  /// ``ActiveSession/Freshness/expired``.
  public static let sessionExpired = Self("session_expired")
  /// A resource refused an access token that had just replaced a refused one: another refresh would not help.
  public static let accessTokenRefused = Self("access_token_refused")
  /// A later sign-in or sign-out overtook this call; its tokens were discarded.
  public static let superseded = Self("superseded")
  /// The request's origin is not one that may have the token; nothing was sent.
  public static let originNotAllowed = Self("origin_not_allowed")

  // The store.
  /// The store is locked, or cannot be read or written now: this is not "absent".
  public static let storageUnavailable = Self("storage_unavailable", .transient)
  /// The store asked the user to unlock it (face, fingerprint, passcode, the keyring's password) and stayed locked:
  /// ask again when the user wants to continue. Nothing was lost.
  public static let userPresenceRequired = Self("user_presence_required", .transient)
  /// What is stored cannot be read by this version; it was left as it is.
  public static let storageCorrupt = Self("storage_corrupt")

  // The app's own set-up.
  /// The port on this machine that should receive the redirect is in use.
  public static let redirectPortBusy = Self("redirect_port_busy")
  /// No browser could be opened on this device.
  public static let browserUnavailable = Self("browser_unavailable")
  /// The configuration cannot work; thrown when the app is composed.
  public static let invalidConfiguration = Self("invalid_configuration")
  /// `Auth` was used before `Auth.configure`.
  public static let notConfigured = Self("not_configured")
}

extension AuthenticationError {
  /// Thrown by ``PasswordCredentials/validate()``.
  public static let blankUserName = Self(
    .blankUserName, "The user name is empty or only white space.", suggestion: "Ask for it before signing in.")
  /// Thrown by ``PasswordCredentials/validate()``.
  public static let emptyPassword = Self(
    .emptyPassword, "The password is empty.", suggestion: "Ask for it before signing in.")
  /// Thrown by ``ChallengeAnswer/validate()``.
  public static let emptyCode = Self(.emptyCode, "The code is empty.", suggestion: "Ask for it before answering.")
  /// Thrown by ``PhoneCredentials/validate()``.
  public static let invalidPhoneNumber = Self(
    .invalidPhoneNumber, "The phone number is not in E.164 form.", suggestion: "Use a plus sign and 7 to 15 digits.")

  /// For a provider that refuses to sign a user in.
  public static let invalidCredentials = Self(
    .invalidCredentials, "The provider refused the credentials.", suggestion: "Let the user correct them.")
  /// For a provider's well-formed refusal to refresh (RFC 6749 §5.2): it ends the session.
  public static let sessionRejected = Self(
    .sessionRejected, "The provider no longer accepts this session.", suggestion: "Sign in again.")
  /// Thrown if a refresh was refused after the response to an earlier one was lost; ``AuthManager/formerUser`` is kept.
  public static let ambiguousLoss = Self(
    .ambiguousLoss, "The answer to an earlier refresh was lost, and the provider no longer accepts this session.",
    suggestion: "Sign in again; who was signed in is kept.")
  /// Thrown if the access token has expired and cannot be refreshed; the session stays stored.
  public static let sessionExpired = Self(
    .sessionExpired, "The access token has expired and the session has no refresh token.",
    suggestion: "Sign in again.")
  /// Thrown if a resource refuses one new access token after another; the session is kept.
  public static let accessTokenRefused = Self(
    .accessTokenRefused, "The resource refuses an access token that the provider has just issued.",
    suggestion: "Check which issuer and audience the resource accepts, and its clock.")
  /// Thrown if a session is needed and there is none.
  public static let notSignedIn = Self(.notSignedIn, "Nobody is signed in.", suggestion: "Sign in first.")
  /// Thrown if a later sign-in or sign-out overtook this call; its result is discarded.
  public static let superseded = Self(
    .superseded, "A later sign-in or sign-out overtook this call; its answer was discarded.",
    suggestion: "Follow the stream of states.")
  /// Thrown if the caller's task was cancelled.
  public static let cancelled = Self(.cancelled, "The call was cancelled.")
  /// Thrown if a timeout passed.
  public static let timedOut = Self(
    .timedOut, "No answer came in time.", suggestion: "Try again; a session that exists is kept.")

  /// For a provider that is given credentials it does not understand.
  public static func unsupportedMethod(_ method: SignInMethod) -> Self {
    Self(
      .unsupportedMethod, "This provider cannot sign in with the method '\(method.id)'.",
      suggestion: "Choose another method or another provider.")
  }

  /// Thrown if the provider creates no accounts; its code is ``Code/unsupportedMethod``.
  public static let signUpUnsupported = Self(
    .unsupportedMethod, "This provider creates no accounts.", suggestion: "Use one whose createsAccounts is true.")

  /// Thrown if the provider asks for a second step, which is in ``challenge``.
  public static func challengeRequired(_ challenge: Challenge) -> Self {
    var error = Self(
      .challengeRequired, "The provider asks for a second step ('\(challenge.kind.id)').",
      suggestion: "Sign in with a ChallengeAnswer to the error's challenge, or pass it to the account service as proof."
    )
    error.challenge = challenge
    return error
  }
}

/// Errors that a provider's adapter throws during an attempt: the user can go on.
extension AuthenticationError {
  /// Thrown by ``EmailCredentials/validate()``.
  public static let invalidEmailAddress = Self(
    .invalidEmailAddress, "The e-mail address does not have one @ between two parts.",
    suggestion: "Ask for it again.")
  /// Thrown by ``ChallengeAnswer/validate()``.
  public static let malformedCode = Self(
    .malformedCode, "The code does not have the length or the characters of the one that was sent.",
    suggestion: "Ask for it again; nothing was sent.")
  /// The code is not the right one.
  public static let wrongCode = Self(.wrongCode, "The code is wrong.", suggestion: "Let the user type it again.")
  /// The code or the link is no longer accepted.
  public static let codeExpired = Self(
    .codeExpired, "The code or link is no longer accepted.", suggestion: "Offer to send another one.")
  /// A one-time password was used before.
  public static let codeReused = Self(
    .codeReused, "The one-time password was used before.", suggestion: "Let the user wait for the next one.")
  /// There is an account with this name, address or number.
  public static let accountExists = Self(
    .accountExists, "There is an account already.", suggestion: "Offer to sign in to it.")
  /// The provider wants proof that a user is there.
  public static let captchaRequired = Self(
    .captchaRequired, "The provider asks for a captcha.", suggestion: "Supply its token as an attribute of the attempt."
  )
  /// What was to be linked belongs to another account.
  public static let alreadyLinked = Self(
    .alreadyLinked, "What was to be linked belongs to another account.",
    suggestion: "Offer to sign in to that account.")
  /// The provider wants a fresh sign-in first.
  public static let recentSignInRequired = Self(
    .recentSignInRequired, "The provider asks for a fresh sign-in first.",
    suggestion: "Let the user sign in again, then repeat.")
  /// The last way to sign in cannot be removed.
  public static let lastMethod = Self(
    .lastMethod, "The last way to sign in to an account cannot be removed.", suggestion: "Add another one first.")
  /// The account is disabled or deleted.
  public static let userDisabled = Self(
    .userDisabled, "The account is disabled or deleted.", suggestion: "Let the user contact support.")
  /// The app's own server did not accept the user.
  public static let notVerified = Self(
    .notVerified, "The app's server did not accept what the user signed in with.",
    suggestion: "Check what it expects, the audience and the nonce above all.")
  /// The link is not one that the attempt waits for.
  public static let invalidLink = Self(
    .invalidLink, "The link is not one that this attempt waits for.", suggestion: "Offer to send another one.")
  /// The answer belongs to a step that is no longer asked.
  public static let challengeReplaced = Self(
    .challengeReplaced, "The answer belongs to a challenge that is no longer asked.",
    suggestion: "Show the attempt's current challenge.")

  /// The password does not meet the provider's rules.
  ///
  /// - Parameter rules: what it must be like, for a developer to phrase.
  public static func weakPassword(rules: [String] = []) -> Self {
    var error = Self(
      .weakPassword, "The password does not meet the provider's rules.", suggestion: "Tell the user the rules.")
    error.passwordRules = rules
    return error
  }

  /// Too many wrong answers.
  ///
  /// - Parameter retryAfter: how long the provider refuses more; nil if it does not say.
  public static func tooManyAttempts(retryAfter: Duration? = nil) -> Self {
    var error = Self(.tooManyAttempts, "Too many wrong answers.", suggestion: "Let the user wait, or begin again.")
    error.retryAfter = retryAfter
    return error
  }

  /// A wrong code.
  ///
  /// - Parameter attemptsLeft: how many more the provider takes; nil if it does not say.
  public static func wrongCode(attemptsLeft: Int?) -> Self {
    var error = Self.wrongCode
    error.attemptsLeft = attemptsLeft
    return error
  }
}

/// Errors for a provider of your own: what a service may report, and how the connection to it may fail. For a message
/// of your own use ``AuthenticationError/init(_:_:suggestion:cause:)``.
extension AuthenticationError {
  /// The service will not create the account.
  public static let signUpRefused = Self(
    .signUpRefused, "The provider refused to create this account.",
    suggestion: "Let the user choose another user name or a stronger password.")
  /// The user declined, or the service did so on the user's behalf (RFC 6749 §4.1.2.1).
  public static let declined = Self(
    .declined, "The user, or the provider in the user's name, said no.",
    suggestion: "Let the user choose to sign in again.")
  /// The user did not finish in time: the code or the step is no longer accepted (RFC 8628 §3.5).
  public static let signInExpired = Self(
    .signInExpired, "The sign-in was not finished in the time the provider gave.", suggestion: "Begin a new one.")
  /// The service does not accept this app (RFC 6749 §5.2, `invalid_client`).
  public static let clientRejected = Self(
    .clientRejected, "The provider does not accept this app.",
    suggestion: "Check the client id, its secret, and what the app may ask for.")
  /// The service refuses a refresh without rejecting the refresh token (RFC 6749 §5.2, `invalid_request` or
  /// `invalid_client`); set ``providerCode``.
  package static let refreshRefused = Self(
    .clientRejected, "The provider refuses to refresh the session, and does not say that it has ended.",
    suggestion: "Try again later; the session is kept. If that lasts, sign in again.")
  /// The service failed.
  public static let serverFailed = Self(.serverFailed, "The provider failed.", suggestion: "Try again later.")
  /// The service has no such endpoint.
  public static let endpointMissing = Self(
    .endpointMissing, "The provider has no such endpoint.", suggestion: "Check the configured URL and paths.")
  /// A response does not conform to the protocol.
  public static let unexpectedResponse = Self(
    .unexpectedResponse, "The provider's answer is not what its protocol says.",
    suggestion: "Check which server and version answers.")

  /// Too many requests.
  ///
  /// - Parameter retryAfter: how long the service asks clients to wait (RFC 9110 §10.2.3); nil if it does not say.
  public static func rateLimited(retryAfter: Duration? = nil) -> Self {
    var error = Self(.rateLimited, "The provider asks for fewer requests.", suggestion: "Wait before trying again.")
    error.retryAfter = retryAfter
    return error
  }

  /// The clocks differ too much to check a token's times.
  ///
  /// - Parameter offset: how far this device's clock is ahead of the service's; negative if it is behind.
  public static func clockSkewed(offset: Duration) -> Self {
    var error = Self(
      .clockSkewed, "This device's clock and the provider's differ by \(offset).",
      suggestion: "Have the user set the device's clock.")
    error.clockOffset = offset
    return error
  }

  /// No connection was made: the service has not seen the request.
  public static let unreachable = Self(
    .unreachable, "The provider cannot be reached.", suggestion: "Try again when there is a connection.")
  /// The connection broke after the service may have seen the request.
  public static let connectionLost = Self(
    .connectionLost, "The connection was lost before the provider's answer came.", suggestion: "Try again.")
  /// No trusted TLS connection could be made; nothing was sent.
  public static let insecureConnection = Self(
    .insecureConnection, "No secure connection to the provider could be made.",
    suggestion: "Check the URL's scheme and the server's certificate.")
  /// The response is longer than the client's limit.
  public static let responseTooLarge = Self(
    .responseTooLarge, "The provider's answer is longer than the limit.", suggestion: "Check which server answers.")

  /// A configuration that cannot work, found when the app is composed.
  ///
  /// - Parameters:
  ///   - message: for a developer, what is wrong; it names no secret.
  ///   - suggestion: for a developer, what to do next.
  public static func invalidConfiguration(_ message: String, suggestion: String? = nil) -> Self {
    Self(.invalidConfiguration, message, suggestion: suggestion)
  }
}

/// Errors for a store of your own: failures that do not mean "absent". None of them ends a session.
extension AuthenticationError {
  /// The store is locked, or cannot be read or written now.
  public static let storageUnavailable = Self(
    .storageUnavailable, "The store cannot be read or written now.", suggestion: "Try again later; nothing was lost.")
  /// The store asked the user to unlock it, and was not unlocked.
  public static let userPresenceRequired = Self(
    .userPresenceRequired, "The user did not unlock the store.",
    suggestion: "Ask again when the user wants to go on.")
  /// What is stored cannot be read by this version.
  public static let storageCorrupt = Self(
    .storageCorrupt, "What is stored cannot be read.", suggestion: "Let the user sign in again.")
}

extension AuthenticationError {
  /// Another user has signed in than the one whose session it is.
  public static let userMismatch = Self(
    .userMismatch, "Another user has signed in than the one whose session it is; the session was not changed.",
    suggestion: "Let the user of the session sign in again.")
}
