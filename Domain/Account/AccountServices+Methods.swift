extension AccountServices: LinkingUseCase, FactorUseCase {
  public func linkedMethods() async throws(AuthenticationError) -> [LinkedMethod] {
    let provider = try ability(.link, (any LinkingProvider).self)
    return try await withSession { session throws(AuthenticationError) in
      try await provider.linkedMethods(of: session)
    }
  }

  /// - Throws: ``AuthenticationError/Code/security`` if the provider returns the session of another person.
  public func link(_ credentials: any Credentials) async throws(AuthenticationError) {
    let provider = try ability(.link, (any LinkingProvider).self)
    try credentials.validate()
    let upgraded = try await withSession { session throws(AuthenticationError) in
      let upgraded = try await provider.link(credentials, to: session)
      if let upgraded, upgraded.user.id != session.user.id { throw .otherPerson }
      return upgraded
    }
    if let upgraded { try await take(upgraded, upgrading: true) }
    _ = await changed(.link)
  }

  public func unlink(_ method: LinkedMethod) async throws(AuthenticationError) {
    let provider = try ability(.link, (any LinkingProvider).self)
    try await withSession { session throws(AuthenticationError) in try await provider.unlink(method, from: session) }
    _ = await changed(.link)
  }

  public func factors() async throws(AuthenticationError) -> [EnrolledFactor] {
    let provider = try ability(.factors, (any FactorProvider).self)
    return try await withSession { session throws(AuthenticationError) in try await provider.factors(of: session) }
  }

  public func enrol(_ kind: Challenge.Kind) async throws(AuthenticationError) -> AccountOutcome {
    let provider = try ability(.factors, (any FactorProvider).self)
    let outcome = try await withSession { session throws(AuthenticationError) in
      try await provider.enrol(kind, for: session)
    }
    return await changed(.factors, outcome)
  }

  public func remove(_ factor: EnrolledFactor) async throws(AuthenticationError) {
    let provider = try ability(.factors, (any FactorProvider).self)
    try await withSession { session throws(AuthenticationError) in try await provider.remove(factor, of: session) }
    _ = await changed(.factors)
  }
}
