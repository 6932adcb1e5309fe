extension AccountServices: LinkingUseCase, FactorUseCase {
  public func linkedMethods() async throws(AuthenticationError) -> [LinkedMethod] {
    let provider = try ability(.link, (any LinkingProvider).self)
    return try await withSession { session throws(AuthenticationError) in
      try await provider.linkedMethods(of: session)
    }
  }

  /// - Throws: ``AuthenticationError/Code/security`` if the provider returns the session of another person.
  @discardableResult
  public func link(_ credentials: any Credentials) async throws(AuthenticationError) -> AccountOutcome {
    let provider = try ability(.link, (any LinkingProvider).self)
    try credentials.validate()
    return try await change(.link) { session throws(AuthenticationError) in
      try await provider.link(credentials, to: session)
    }
  }

  public func unlink(_ method: LinkedMethod) async throws(AuthenticationError) {
    let provider = try ability(.link, (any LinkingProvider).self)
    try await changeAtOnce(.link) { session throws(AuthenticationError) in
      try await provider.unlink(method, from: session)
    }
  }

  public func factors() async throws(AuthenticationError) -> [EnrolledFactor] {
    let provider = try ability(.factors, (any FactorProvider).self)
    return try await withSession { session throws(AuthenticationError) in try await provider.factors(of: session) }
  }

  public func enrol(_ kind: Challenge.Kind) async throws(AuthenticationError) -> AccountOutcome {
    try await enrol(kind, proof: nil)
  }

  public func enrol(
    _ kind: Challenge.Kind, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountOutcome {
    let provider = try ability(.factors, (any FactorProvider).self)
    try proof?.validate()
    return try await change(.factors) { session throws(AuthenticationError) in
      try await provider.enrol(kind, for: session, proof: proof)
    }
  }

  public func remove(_ factor: EnrolledFactor) async throws(AuthenticationError) {
    try await remove(factor, proof: nil)
  }

  public func remove(_ factor: EnrolledFactor, proof: ChallengeAnswer?) async throws(AuthenticationError) {
    let provider = try ability(.factors, (any FactorProvider).self)
    try proof?.validate()
    _ = try await change(.factors) { session throws(AuthenticationError) in
      try await provider.remove(factor, of: session, proof: proof).map(AccountStep.session) ?? .done
    }
  }
}
