/// A provider some of whose account services ask for a step in between.
public protocol AccountChallengeProvider: RemoteAuthProvider {
  /// Goes on with a service that asked for a step.
  ///
  /// - Parameters:
  ///   - answer: to the challenge that the service returned.
  ///   - session: the user's session; nil if nobody is signed in.
  func answer(
    _ answer: ChallengeAnswer, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountStep
}

/// A provider that lets a user who forgot the password choose another one.
public protocol PasswordResetProvider: AccountChallengeProvider {
  /// Sends a code or a link, without saying whether there is such an account.
  func resetPassword(of account: String) async throws(AuthenticationError) -> AccountStep
}

/// A provider that lets a user who is signed in choose another password.
public protocol PasswordChangeProvider: AccountChallengeProvider {
  /// - Throws: ``AuthenticationError/Code/invalidCredentials`` if the old password is wrong, and
  ///   ``AuthenticationError/Code/weakPassword`` if the new one does not meet the rules.
  func changePassword(
    from old: Secret, to new: Secret, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountStep
  /// The same with a proof; see ``AccountDeletionProvider/deleteAccount(of:proof:)``.
  func changePassword(
    from old: Secret, to new: Secret, of session: AuthSession, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountStep
}

/// A provider that changes and verifies a user's e-mail address or phone number.
public protocol AddressProvider: AccountChallengeProvider {
  /// Changes the address, or verifies the one that the account has.
  func verify(_ address: AccountAddress, of session: AuthSession) async throws(AuthenticationError) -> AccountStep
}

/// A provider that links several ways to sign in to one account.
public protocol LinkingProvider: AccountChallengeProvider {
  /// The methods with which the user can sign in.
  func linkedMethods(of session: AuthSession) async throws(AuthenticationError) -> [LinkedMethod]
  /// Adds a method.
  ///
  /// - Returns: ``AccountStep/session(_:)`` if the session changes with the link, as an anonymous one does.
  /// - Throws: ``AuthenticationError/Code/alreadyLinked`` if the credentials belong to another account.
  func link(_ credentials: any Credentials, to session: AuthSession) async throws(AuthenticationError) -> AccountStep
  /// Removes a method.
  ///
  /// - Throws: ``AuthenticationError/Code/lastMethod`` if it is the only one.
  func unlink(_ method: LinkedMethod, from session: AuthSession) async throws(AuthenticationError)
}

/// A provider that manages second factors and passkeys.
public protocol FactorProvider: AccountChallengeProvider {
  /// The factors of the user.
  func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor]
  /// Begins to add a factor: a ``Challenge/Kind/enrolment``, or a ``Challenge/Kind/passkey`` with creation options.
  func enrol(_ kind: Challenge.Kind, for session: AuthSession) async throws(AuthenticationError) -> AccountStep
  /// The same with a proof; see ``AccountDeletionProvider/deleteAccount(of:proof:)``.
  func enrol(
    _ kind: Challenge.Kind, for session: AuthSession, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountStep
  /// Removes a factor.
  ///
  /// - Returns: the user's session from now on, if its tokens change with the factor; else nil.
  @discardableResult
  func remove(_ factor: EnrolledFactor, of session: AuthSession) async throws(AuthenticationError) -> AuthSession?
  /// The same with a proof; see ``AccountDeletionProvider/deleteAccount(of:proof:)``.
  @discardableResult
  func remove(
    _ factor: EnrolledFactor, of session: AuthSession, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AuthSession?
}

/// A provider that lists a user's sessions.
public protocol SessionListProvider: RemoteAuthProvider {
  /// The sessions of the user, this one included.
  func sessions(of session: AuthSession) async throws(AuthenticationError) -> [RemoteSession]
  /// Ends one of them.
  func end(_ remote: RemoteSession, of session: AuthSession) async throws(AuthenticationError)
  /// The same with a proof; see ``AccountDeletionProvider/deleteAccount(of:proof:)``.
  func end(_ remote: RemoteSession, of session: AuthSession, proof: ChallengeAnswer?) async throws(AuthenticationError)
}

/// A provider that deletes accounts.
public protocol AccountDeletionProvider: RemoteAuthProvider {
  /// Deletes the account for ever.
  ///
  /// - Throws: ``AuthenticationError/Code/recentSignInRequired`` if the user must sign in first.
  func deleteAccount(of session: AuthSession) async throws(AuthenticationError)

  /// Deletes the account with a request that carries a proof, for a service that wants one in the request itself
  /// (Matrix user-interactive authentication, sudo-style APIs). By default there is no such proof.
  ///
  /// A call without a proof that needs one throws ``AuthenticationError/challengeRequired(_:)``, whose challenge holds
  /// the service's own handle. The user answers, and the provider is called again with the answer. It keeps neither the
  /// handle nor the answer between the calls.
  ///
  /// - Parameters:
  ///   - session: the user's session.
  ///   - proof: the answer to the challenge that an earlier call threw; nil at first.
  /// - Throws: ``AuthenticationError/Code/challengeRequired`` for the first or the next step,
  ///   ``AuthenticationError/Code/invalidCredentials`` or ``AuthenticationError/Code/wrongCode`` for a proof that is
  ///   wrong: the user is asked again, for the error's challenge if it has one, else for the same one.
  func deleteAccount(of session: AuthSession, proof: ChallengeAnswer?) async throws(AuthenticationError)
}

/// A provider that tells, and changes, what is known about a user.
public protocol ProfileProvider: RemoteAuthProvider {
  /// What the provider knows now.
  func user(of session: AuthSession) async throws(AuthenticationError) -> User
  /// Changes some of it. By default nothing can be changed.
  ///
  /// - Returns: what it knows then.
  func update(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthenticationError) -> User
}

extension ProfileProvider {
  public func update(
    _ changes: ProfileChanges, of session: AuthSession
  ) async throws(AuthenticationError) -> User {
    throw AuthenticationError(
      .unsupportedMethod, "This provider tells what it knows about the user, and lets no app change it.",
      suggestion: "Send the user to the provider's own page.")
  }
}

// A provider that takes no proof is never called with one unless it threw a challenge.

extension PasswordChangeProvider {
  public func changePassword(
    from old: Secret, to new: Secret, of session: AuthSession, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountStep {
    if proof != nil { throw .proofUnsupported }
    return try await changePassword(from: old, to: new, of: session)
  }
}

extension FactorProvider {
  public func enrol(
    _ kind: Challenge.Kind, for session: AuthSession, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountStep {
    if proof != nil { throw .proofUnsupported }
    return try await enrol(kind, for: session)
  }

  @discardableResult
  public func remove(
    _ factor: EnrolledFactor, of session: AuthSession, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AuthSession? {
    if proof != nil { throw .proofUnsupported }
    return try await remove(factor, of: session)
  }
}

extension SessionListProvider {
  public func end(
    _ remote: RemoteSession, of session: AuthSession, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) {
    if proof != nil { throw .proofUnsupported }
    try await end(remote, of: session)
  }
}

extension AccountDeletionProvider {
  public func deleteAccount(of session: AuthSession, proof: ChallengeAnswer?) async throws(AuthenticationError) {
    if proof != nil { throw .proofUnsupported }
    try await deleteAccount(of: session)
  }
}

extension AuthenticationError {
  static let proofUnsupported = Self(
    .unsupportedMethod, "This account service takes no proof with its request.",
    suggestion: "Call it without one, and pass a proof only after it threw a challenge.")
}
