public import AuthenticationDomain

extension MainRoot {
  /// Ends the session if the vendor that the person signed in with no longer stands behind it. Call it at each launch,
  /// and when the vendor tells of a revocation.
  ///
  /// A person who took the consent back is signed out, with the reason ``SignOutReason/credentialRevoked``. One whom the
  /// vendor does not know on this device is signed out only if the provider refuses to refresh the session. An outage,
  /// of the vendor or of the provider, keeps it.
  ///
  /// - Returns: the state after that.
  @discardableResult
  public func check(_ credential: any CredentialCheck) async -> AuthenticationState {
    let user = await manager.restore().user
    try? await manager.endSession(because: .credentialRevoked) { [manager] session in
      switch await credential.state(of: session.user) {
      case .revoked?: return true
      case .notFound?: return await manager.isRefused(session)
      default: return false
      }
    }
    // Not before: whoever is killed in between must be able to ask again.
    if case .signedOut(.credentialRevoked) = manager.state, let user { credential.forget(user) }
    return manager.state
  }
}

extension RootManager {
  /// Asks the provider, which ends a session that it refuses to refresh; true if that is left to the caller.
  fileprivate func isRefused(_ session: AuthSession) async -> Bool {
    if session.tokens.refresh == nil { return (try? await isValid()) == false }
    _ = try? await refreshNow()
    return false
  }
}
