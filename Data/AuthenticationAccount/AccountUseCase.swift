public import AuthenticationDomain

/// Changes the account of the signed-in user, and reads the provider's data about it.
///
/// An ability that the provider does not declare throws ``AuthenticationError/unsupportedMethod``; ``abilities`` lists
/// those that work.
///
/// ```swift
/// if account.abilities.contains(.changePassword) {
///   try await account.perform(.changePassword(from: old, to: new))
/// }
/// ```
///
/// ### Choose a use case
///
/// `AuthManager.account` has the services of the provider for the signed-in user, and `AuthManager.account(onChange:)`
/// the same with a side effect after each change. The services of a backend are an ``AccountProvider``, and no use
/// case.
///
/// ### Implement a middleware
///
/// A rule for changes is a use case around another one. It passes the request on: a new ``AccountRequest`` loses the
/// proof and the attributes.
///
/// ```swift
/// struct ProtectedAccount: AccountUseCase {
///   let upstream: any AccountUseCase
///   var abilities: Set<AccountAbility> { upstream.abilities.subtracting([.delete]) }
///   func perform(_ request: AccountRequest) async throws(AuthenticationError) -> AccountOutcome {
///     if case .deleteAccount = request.change { throw .unsupportedChange(request.change) }
///     return try await upstream.perform(request)
///   }
///   func refreshUser() async throws(AuthenticationError) -> User { try await upstream.refreshUser() }
///   func linkedMethods() async throws(AuthenticationError) -> [LinkedMethod] { try await upstream.linkedMethods() }
///   func factors() async throws(AuthenticationError) -> [EnrolledFactor] { try await upstream.factors() }
///   func sessions() async throws(AuthenticationError) -> [RemoteSession] { try await upstream.sessions() }
/// }
/// ```
///
/// ### Errors
///
/// No error of a service ends the session. `ReauthenticationModel` handles
/// ``AuthenticationError/recentSignInRequired``, ``AuthenticationError/insufficientUserAuthentication`` and
/// ``AuthenticationError/challengeRequired``: the user signs in again or proves their presence, and the change is
/// repeated.
///
/// ### Concurrency
///
/// ``abilities`` is synchronous: it must not block. The other calls may overlap. A caller of ``perform(_:)``
/// whose task is cancelled gets ``AuthenticationError/cancelled`` at once, and a change that was sent continues: its
/// tokens would be lost otherwise.
public protocol AccountUseCase: Sendable {
  /// The abilities that work.
  var abilities: Set<AccountAbility> { get }

  /// Changes something: a request with the additions of the call.
  ///
  /// - Parameter request: the change, and the additions of the call.
  /// - Returns: that it is done, the session if it has changed, or the step that the provider asks first.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/challengeRequired`` if the service wants a proof with
  ///   the request: repeat it with ``AccountRequest/proof``.
  @discardableResult
  func perform(_ request: AccountRequest) async throws(AuthenticationError) -> AccountOutcome

  /// Asks the provider again about the user.
  @discardableResult
  func refreshUser() async throws(AuthenticationError) -> User

  /// The methods with which the user can sign in.
  func linkedMethods() async throws(AuthenticationError) -> [LinkedMethod]

  /// The second factors and passkeys of the user.
  func factors() async throws(AuthenticationError) -> [EnrolledFactor]

  /// The sessions of the user, this one included.
  func sessions() async throws(AuthenticationError) -> [RemoteSession]
}

extension AccountUseCase {
  /// Changes something, or answers the challenge that a change returned.
  ///
  /// ```swift
  /// do throws(AuthenticationError) {
  ///   try await account.perform(.deleteAccount)
  /// } catch where error == .challengeRequired {
  ///   guard let challenge = error.challenge else { throw error }
  ///   try await account.perform(
  ///     .deleteAccount, proof: ChallengeAnswer(to: challenge, .newPassword(Secret(typed))))
  /// }
  /// ```
  ///
  /// If the store refuses to erase the session of a deleted account, that is thrown: the user is signed out here, and
  /// erasing is tried again.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - proof: the answer to the challenge of the error that an earlier call threw; nil if there was none.
  ///   - attributes: further data of the app. By default nothing.
  /// - Returns: that it is done, the session if it has changed, or the step that the provider asks first. A reset of a
  ///   password usually asks for one, also if there is no such account.
  /// - Throws: ``AuthenticationError/recentSignInRequired`` if the user must sign in first,
  ///   ``AuthenticationError/challengeRequired`` if the service asks for a step, which is answered by the same call
  ///   with `proof`, ``AuthenticationError/invalidCredentials`` or ``AuthenticationError/wrongCode`` if the proof is
  ///   wrong: the same challenge can be answered again, and ``AuthenticationError/security`` if the provider returns
  ///   the session of another user.
  @discardableResult
  public func perform(
    _ change: AccountChange, proof: ChallengeAnswer? = nil, attributes: [String: Secret] = [:]
  ) async throws(AuthenticationError) -> AccountOutcome {
    try await perform(AccountRequest(change, proof: proof, attributes: attributes))
  }

  /// Changes the profile of the user.
  ///
  /// - Returns: the user as the provider then describes them.
  @discardableResult
  public func update(_ changes: ProfileChanges) async throws(AuthenticationError) -> User {
    switch try await perform(.update(changes)) {
    case .session(let session): session.user
    case .challenge(let challenge): throw .challengeRequired(challenge)
    case .done: try await refreshUser()
    }
  }
}
