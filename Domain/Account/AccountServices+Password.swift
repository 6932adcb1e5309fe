extension AccountServices: PasswordResetUseCase, PasswordChangeUseCase, AddressUseCase, AccountChallengeUseCase {
  /// Refuses a blank account before anything is sent.
  public func resetPassword(of account: String) async throws(AuthenticationError) -> AccountOutcome {
    let provider = try ability(.resetPassword, (any PasswordResetProvider).self)
    if account.allSatisfy(\.isWhitespace) { throw .blankUserName }
    return try await uninterrupted { () async throws(AuthenticationError) in
      try await conclude(.resetPassword, try await provider.resetPassword(of: account), of: nil)
    }
  }

  /// Refuses an empty password before anything is sent.
  public func changePassword(
    from old: Secret, to new: Secret
  ) async throws(AuthenticationError) -> AccountOutcome {
    try await changePassword(from: old, to: new, proof: nil)
  }

  public func changePassword(
    from old: Secret, to new: Secret, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountOutcome {
    let provider = try ability(.changePassword, (any PasswordChangeProvider).self)
    if old.isEmpty || new.isEmpty { throw .emptyPassword }
    try proof?.validate()
    return try await change(.changePassword) { session throws(AuthenticationError) in
      try await provider.changePassword(from: old, to: new, of: session, proof: proof)
    }
  }

  /// Refuses an address of a wrong shape before anything is sent.
  public func verify(_ address: AccountAddress) async throws(AuthenticationError) -> AccountOutcome {
    let provider = try ability(.verify, (any AddressProvider).self)
    try address.validate()
    return try await change(.verify) { session throws(AuthenticationError) in
      try await provider.verify(address, of: session)
    }
  }

  /// Refuses an answer that cannot be right before anything is sent.
  public func answer(_ answer: ChallengeAnswer) async throws(AuthenticationError) -> AccountOutcome {
    let ability = AccountAbility(id: "answer")
    guard let provider = part((any AccountChallengeProvider).self) else { throw .unsupportedMethod(.challengeAnswer) }
    try answer.validate()
    return try await uninterrupted { () async throws(AuthenticationError) in
      let session = try await sessionIfAny()
      return try await conclude(ability, try await provider.answer(answer, for: session), of: session)
    }
  }
}
