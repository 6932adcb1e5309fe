package import AuthenticationData
public import AuthenticationDomain

/// A provider with account services.
///
/// ### Choose a description
///
/// The services of a JSON backend are described by an ``APIAccountContract``; some providers
/// of vendors have a part of them. Implement this for a service with another protocol.
///
/// ### Implement the services
///
/// ``accountAbilities`` lists the services that work; the others throw ``AuthenticationError/unsupportedChange(_:)``,
/// and an app does not show them. One call, ``perform(_:for:)``, takes every change; the lists throw by default.
///
/// ```swift
/// let services = root.provider as? any AccountProvider
/// if services?.accountAbilities.isEmpty == false { show("Account") }
/// ```
///
/// A service that asks for a step first returns ``AccountOutcome/challenge(_:)``, and its answer comes as
/// ``AccountChange/answer(_:)``. One that takes the proof in the request throws
/// ``AuthenticationError/challengeRequired(_:)``, and is called again (``takesProofs``).
///
/// ### Errors
///
/// ``AuthenticationError/accessTokenRefused`` for an access token that has expired: the session is refreshed, and the
/// service called once more. ``AuthenticationError/recentSignInRequired`` if the user must sign in again. No error of a
/// service ends the session.
///
/// ### Concurrency
///
/// It keeps no session: the caller passes one in. Calls may overlap. ``AuthManager`` stores a session that a service
/// returns as it stores refreshed tokens. A call goes to its end although its caller leaves: its tokens would be lost
/// otherwise.
public protocol AccountProvider: RemoteAuthProvider {
  /// The account services that work.
  var accountAbilities: Set<AccountAbility> { get }

  /// Whether a request may carry a proof. By default false.
  ///
  /// Some services want a proof in the request itself (Matrix user-interactive authentication, sudo-style APIs). A call
  /// without one then throws ``AuthenticationError/challengeRequired(_:)``, whose challenge holds the service's own
  /// handle. The user answers, and the provider is called again with the answer. It keeps neither the handle nor the
  /// answer between the calls. For a wrong proof it throws ``AuthenticationError/invalidCredentials`` or
  /// ``AuthenticationError/wrongCode``: the user is asked again, for the error's challenge if it has one, else for
  /// the same one.
  var takesProofs: Bool { get }

  /// Whether the server accepts a ``Challenge/Kind/conditionalPasskey``, for which no user was present. By default
  /// false: then none is created. Return true only if the server knows its options: the response itself does not tell
  /// (WebAuthn Level 3 §7.1).
  var acceptsConditionalPasskeys: Bool { get }

  /// Every passkey that the server accepts for the user.
  ///
  /// - Returns: nil, as by default, if the server does not tell the ids of the credentials.
  /// - Throws: ``AuthenticationError``, also if the response is not complete: it must not be taken for all.
  func acceptedPasskeys(of session: AuthSession) async throws(AuthenticationError) -> AcceptedPasskeys?

  /// Changes something about an account.
  ///
  /// - Parameters:
  ///   - request: the change, and the additions of the call.
  ///   - session: the user's session; nil for ``AccountChange/resetPassword(of:)``, and for
  ///     ``AccountChange/answer(_:)`` if no user is signed in.
  /// - Returns: that it is done, the session from now on if it changes, or the step that is asked first.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/accessTokenRefused`` if the access token has expired
  ///   (it is refreshed, and the call is repeated), ``AuthenticationError/recentSignInRequired`` if the user must
  ///   sign in first, ``AuthenticationError/invalidCredentials`` for a wrong old password,
  ///   ``AuthenticationError/weakPassword`` for a new one that does not meet the rules,
  ///   ``AuthenticationError/alreadyLinked`` for credentials of another account, and
  ///   ``AuthenticationError/lastMethod`` for the only way to sign in. A reset does not say whether there is such an
  ///   account.
  func perform(
    _ request: AccountRequest, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome

  /// The user as the provider describes them now.
  func user(of session: AuthSession) async throws(AuthenticationError) -> User

  /// The methods with which the user can sign in.
  func linkedMethods(of session: AuthSession) async throws(AuthenticationError) -> [LinkedMethod]

  /// The second factors and passkeys of the user.
  func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor]

  /// The sessions of the user, this one included.
  func sessions(of session: AuthSession) async throws(AuthenticationError) -> [RemoteSession]
}

extension AccountProvider {
  public var takesProofs: Bool { false }
  public var acceptsConditionalPasskeys: Bool { false }

  public func acceptedPasskeys(of session: AuthSession) async throws(AuthenticationError) -> AcceptedPasskeys? { nil }

  public func perform(
    _ request: AccountRequest, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome { throw .unsupportedChange(request.change) }

  public func user(of session: AuthSession) async throws(AuthenticationError) -> User {
    throw .unsupportedAbility(.profile)
  }

  public func linkedMethods(of session: AuthSession) async throws(AuthenticationError) -> [LinkedMethod] {
    throw .unsupportedAbility(.link)
  }

  public func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    throw .unsupportedAbility(.factors)
  }

  public func sessions(of session: AuthSession) async throws(AuthenticationError) -> [RemoteSession] {
    throw .unsupportedAbility(.sessions)
  }

  public var endsOtherSessions: Bool { accountAbilities.contains(.sessions) }

  /// Ends each session that ``sessions(of:)`` lists; throws the first failure.
  public func endSessions(otherThan session: AuthSession) async throws(AuthenticationError) {
    try await endListedSessions(otherThan: session)
  }

  func endListedSessions(otherThan session: AuthSession) async throws(AuthenticationError) {
    var failure: AuthenticationError?
    for other in try await sessions(of: session) where !other.isCurrent {
      do throws(AuthenticationError) {
        _ = try await perform(AccountRequest(.end(other)), for: session)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }
}

/// A vendor's provider with account services, of which a reset and an answer need no session, and any other change
/// does.
package protocol VendorAccountProvider: AccountProvider, ResumingAuthProvider {
  /// The data of a later step.
  var secrets: StepSecrets { get }

  /// As ``AccountChange/resetPassword(of:)``.
  func resetPassword(of account: String, _ attributes: Attributes) async throws(AuthenticationError) -> AccountOutcome

  /// As ``AccountChange/answer(_:)``.
  func answer(
    _ answer: ChallengeAnswer, for session: AuthSession?, _ attributes: Attributes
  ) async throws(AuthenticationError) -> AccountOutcome

  /// Any other change.
  func perform(_ request: AccountRequest, of session: AuthSession) async throws(AuthenticationError) -> AccountOutcome
}

extension VendorAccountProvider {
  package func forgetBegunSignIns() { secrets.forgetAll() }

  package func perform(
    _ request: AccountRequest, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome {
    switch request.change {
    case .resetPassword(let account): return try await resetPassword(of: account, request.attributes)
    case .answer(let answer): return try await self.answer(answer, for: session, request.attributes)
    default:
      guard let session else { throw .notSignedIn }
      return try await perform(request, of: session)
    }
  }
}

extension AuthenticationError {
  /// The provider does not offer this change.
  public static func unsupportedChange(_ change: AccountChange) -> Self { unsupportedAbility(change.ability) }

  static func unsupportedAbility(_ ability: AccountAbility) -> Self {
    Self(
      .unsupportedMethod, "This provider does not offer the account service '\(ability.rawValue)'.",
      suggestion: "Offer only what AccountUseCase.abilities contains."
    ).with(\.reason, .accountService)
  }

  static let blankName = Self(.invalidRequest, "The name is blank.", suggestion: "Enter one.")

  static let proofUnsupported = Self(
    .unsupportedMethod, "This account service takes no proof with its request.",
    suggestion: "Call it without one, and pass a proof only after it threw a challenge.")
}
