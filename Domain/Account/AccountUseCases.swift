/// Lets a user who forgot the password choose another one.
public protocol PasswordResetUseCase: Sendable {
  /// Sends a code or a link to the account's address.
  ///
  /// - Parameter account: a user name or an address, as typed.
  /// - Returns: usually a challenge, also if there is no such account.
  func resetPassword(of account: String) async throws(AuthenticationError) -> AccountOutcome
}

/// Lets the user who is signed in choose another password.
public protocol PasswordChangeUseCase: Sendable {
  /// Changes the password.
  func changePassword(from old: Secret, to new: Secret) async throws(AuthenticationError) -> AccountOutcome
  /// The same with a proof; see ``AccountDeletionUseCase/deleteAccount(proof:)``.
  func changePassword(
    from old: Secret, to new: Secret, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountOutcome
}

/// Changes or verifies the e-mail address or phone number of the user who is signed in.
public protocol AddressUseCase: Sendable {
  /// Changes to this address, or verifies it if the account has it already.
  func verify(_ address: AccountAddress) async throws(AuthenticationError) -> AccountOutcome
}

/// Goes on with a service that asked for a step.
public protocol AccountChallengeUseCase: Sendable {
  /// Answers the challenge that a service returned.
  func answer(_ answer: ChallengeAnswer) async throws(AuthenticationError) -> AccountOutcome
}

/// Links several ways to sign in to the account of the user who is signed in.
public protocol LinkingUseCase: Sendable {
  /// The methods with which the user can sign in.
  func linkedMethods() async throws(AuthenticationError) -> [LinkedMethod]
  /// Adds a method; an anonymous account is upgraded, and keeps its user id.
  @discardableResult
  func link(_ credentials: any Credentials) async throws(AuthenticationError) -> AccountOutcome
  /// Removes a method.
  func unlink(_ method: LinkedMethod) async throws(AuthenticationError)
}

/// Manages second factors and passkeys of the user who is signed in.
public protocol FactorUseCase: Sendable {
  /// The factors of the user.
  func factors() async throws(AuthenticationError) -> [EnrolledFactor]
  /// Begins to add a factor; the challenge is answered with ``AccountChallengeUseCase/answer(_:)``.
  func enrol(_ kind: Challenge.Kind) async throws(AuthenticationError) -> AccountOutcome
  /// The same with a proof; see ``AccountDeletionUseCase/deleteAccount(proof:)``.
  func enrol(_ kind: Challenge.Kind, proof: ChallengeAnswer?) async throws(AuthenticationError) -> AccountOutcome
  /// Removes a factor.
  func remove(_ factor: EnrolledFactor) async throws(AuthenticationError)
  /// The same with a proof; see ``AccountDeletionUseCase/deleteAccount(proof:)``.
  func remove(_ factor: EnrolledFactor, proof: ChallengeAnswer?) async throws(AuthenticationError)
}

/// Lists and ends the sessions of the user who is signed in.
public protocol SessionListUseCase: Sendable {
  /// The sessions of the user, this one included.
  func sessions() async throws(AuthenticationError) -> [RemoteSession]
  /// Ends one of them.
  func end(_ session: RemoteSession) async throws(AuthenticationError)
  /// The same with a proof; see ``AccountDeletionUseCase/deleteAccount(proof:)``.
  func end(_ session: RemoteSession, proof: ChallengeAnswer?) async throws(AuthenticationError)
  /// Erases the session here at once, and ends all of them in the background: ``AuthManager/deliverRevocations()`` waits
  /// for that, and returns ``AuthenticationError/Code/otherSessionsRemain`` if it could not be done.
  ///
  /// - Parameters:
  ///   - control: signs out here.
  ///   - loss: as for ``SessionControl/signOut(losing:)``.
  /// - Throws: ``AuthenticationError``, as ``SessionControl/signOut(losing:)`` does.
  func signOutEverywhere(
    by control: any SessionControl, losing loss: SignOutLoss?
  ) async throws(AuthenticationError)
}

/// Deletes the account of the user who is signed in.
public protocol AccountDeletionUseCase: Sendable {
  /// Deletes the account for ever, and signs out here.
  ///
  /// - Throws: ``AuthenticationError/Code/recentSignInRequired`` if the user must sign in first.
  func deleteAccount() async throws(AuthenticationError)

  /// Deletes the account with a proof that travels with the request. A service of the app's own that wraps another one
  /// passes it on; by default there is none.
  ///
  /// ```swift
  /// do throws(AuthenticationError) {
  ///   try await root.account.deleteAccount()
  /// } catch where error.code == .challengeRequired {
  ///   guard let challenge = error.challenge else { throw error }
  ///   try await root.account.deleteAccount(proof: ChallengeAnswer(to: challenge, .newPassword(Secret(typed))))
  /// }
  /// ```
  ///
  /// - Parameter proof: the answer to the challenge of the error that an earlier call threw; nil if there was none.
  /// - Throws: as ``deleteAccount()`` does; ``AuthenticationError/Code/challengeRequired`` if the service asks for a
  ///   step, which is answered by the same call with `proof`, and ``AuthenticationError/Code/invalidCredentials`` or
  ///   ``AuthenticationError/Code/wrongCode`` if the proof is wrong: the same challenge can be answered again.
  func deleteAccount(proof: ChallengeAnswer?) async throws(AuthenticationError)
}

/// Tells, and changes, what the provider knows about the user who is signed in.
public protocol ProfileUseCase: Sendable {
  /// Asks the provider again.
  @discardableResult
  func refreshUser() async throws(AuthenticationError) -> User
  /// Changes some of it.
  @discardableResult
  func update(_ changes: ProfileChanges) async throws(AuthenticationError) -> User
}

extension PasswordChangeUseCase {
  public func changePassword(
    from old: Secret, to new: Secret, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountOutcome {
    if proof != nil { throw .proofUnsupported }
    return try await changePassword(from: old, to: new)
  }
}

extension FactorUseCase {
  public func enrol(
    _ kind: Challenge.Kind, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountOutcome {
    if proof != nil { throw .proofUnsupported }
    return try await enrol(kind)
  }

  public func remove(_ factor: EnrolledFactor, proof: ChallengeAnswer?) async throws(AuthenticationError) {
    if proof != nil { throw .proofUnsupported }
    try await remove(factor)
  }
}

extension SessionListUseCase {
  public func end(_ session: RemoteSession, proof: ChallengeAnswer?) async throws(AuthenticationError) {
    if proof != nil { throw .proofUnsupported }
    try await end(session)
  }
}

extension AccountDeletionUseCase {
  public func deleteAccount(proof: ChallengeAnswer?) async throws(AuthenticationError) {
    if proof != nil { throw .proofUnsupported }
    try await deleteAccount()
  }
}
