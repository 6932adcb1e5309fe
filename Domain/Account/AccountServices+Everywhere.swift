extension AccountServices {
  /// Erases the session here at once, whether or not the provider can be reached. What is left of it ends the others in
  /// the background, then is revoked; an app that is closed before that does not try again.
  ///
  /// ```swift
  /// try await root.account.signOutEverywhere(by: root.manager)
  /// let failures = await root.manager.deliverRevocations()
  /// if failures.contains(where: { $0.code == .otherSessionsRemain }) { tellThePerson() }
  /// ```
  ///
  /// - Throws: as ``SessionControl/signOut(losing:)`` does; ``AuthenticationError/Code/otherSessionsRemain`` if the
  ///   session has ended here and nothing of it was left to end the others with, because another process ended it, for
  ///   example.
  public func signOutEverywhere(
    by control: any SessionControl, losing loss: SignOutLoss? = nil
  ) async throws(AuthenticationError) {
    let provider = try ability(.sessions, (any SessionListProvider).self)
    let farewell = Farewell { session throws(AuthenticationError) in
      try await endOthers(than: session, at: provider)
      await onChange(.sessions)
    }
    let isSignedIn = await manager.readNow().session != nil
    let result: Result<Void, AuthenticationError> = await Farewell.$current.withValue(farewell) {
      do throws(AuthenticationError) { return .success(try await control.signOut(losing: loss)) } catch {
        return .failure(error)
      }
    }
    try result.get()
    if isSignedIn, !farewell.isTaken { throw .othersRemain(because: .notSignedIn) }
  }

  /// Tokens that an expired one is refreshed to are revoked as well.
  private func endOthers(
    than session: AuthSession, at provider: any SessionListProvider
  ) async throws(AuthenticationError) {
    do throws(AuthenticationError) {
      try await provider.endOthers(than: session)
    } catch {
      guard error.code == .accessTokenRefused, session.tokens.refresh != nil else { throw error }
      let refreshed = session.renewed(with: try await provider.refresh(session))
      await manager.discard(refreshed)
      try await provider.endOthers(than: refreshed)
    }
  }
}

extension SessionListProvider {
  /// Tries each; throws the first failure.
  fileprivate func endOthers(than session: AuthSession) async throws(AuthenticationError) {
    var failure: AuthenticationError?
    for other in try await sessions(of: session) where !other.isCurrent {
      do throws(AuthenticationError) { try await end(other, of: session) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
