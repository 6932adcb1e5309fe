/// Signing out.
extension AuthManager {
  /// Erases the session here, then ends it at the provider.
  ///
  /// Returns when the session is erased; the revocation is sent in the background, or later if the provider cannot be
  /// reached (``deliverRevocations()``).
  ///
  /// - Parameter loss: what is lost for ever with the session, as the person has confirmed; nil if nothing may be.
  /// - Throws: ``AuthenticationError/Code/confirmationRequired`` if something else would be lost (nothing changed), and
  ///   ``AuthenticationError`` if the store cannot be read (nothing changed), or could not be erased: then the person is
  ///   signed out here, and erasing is tried again, at once if this is called again.
  public func signOut(losing loss: SignOutLoss?) async throws(AuthenticationError) {
    try erase(revoking: true, losing: loss)
  }

  /// Erases the session here, with the queued revocations of earlier sign-outs, and sends nothing to the provider.
  ///
  /// - Parameter loss: as for ``signOut(losing:)``.
  /// - Throws: ``AuthenticationError``, as ``signOut(losing:)`` does.
  public func clear(losing loss: SignOutLoss? = nil) throws(AuthenticationError) {
    try erase(revoking: false, losing: loss)
  }

  /// Signs out, as ``signOut(losing:)`` does but without a confirmation, if what stood behind the sign-in is gone.
  ///
  /// - Parameters:
  ///   - reason: what ``AuthenticationState/signedOut(_:)`` then says.
  ///   - isOver: asks about this session; a sign-in or a sign-out meanwhile makes its answer count for nothing.
  /// - Throws: as ``signOut(losing:)`` does.
  public func endSession(
    because reason: SignOutReason, if isOver: @Sendable (AuthSession) async -> Bool
  ) async throws(AuthenticationError) {
    guard let session = readNow().session else { return }
    let signIn = machine.record.signInID
    guard await isOver(session), let now = readNow().session, machine.record.signInID == signIn else { return }
    try erase(revoking: true, losing: SignOutLoss(of: now.user), because: reason)
  }

  /// Erases the session of a person whose account is deleted, unless somebody else has signed in meanwhile. Its tokens
  /// ended with the account; what earlier sign-outs have queued is still sent.
  func accountDeleted(of user: User) throws(AuthenticationError) {
    guard readNow().user?.id == user.id else { return }
    try erase(revoking: false, losing: SignOutLoss(of: user), because: .accountDeleted)
  }

  private func erase(
    revoking: Bool, losing loss: SignOutLoss?, because reason: SignOutReason = .requested
  ) throws(AuthenticationError) {
    let state = readNow()
    if case .unavailable(let error) = state { throw error }
    try SignOutLoss.check(state.user, named: loss)
    if state.session != nil || !revoking { othersRemain = nil }
    transaction { handle(.signOutRequested(revoking: revoking, because: reason, at: clock.now)) }
    // After it: what another process has stored meanwhile is a generation of its own.
    if revoking, let farewell = Farewell.current, let session = state.session {
      farewell.take()
      farewells.append((farewell, session, machine.generation))
    }
    forgetLeftovers()
    if let failure = machine.store.failure, storeHoldsSession { throw failure }
  }

  private var storeHoldsSession: Bool {
    do { return try store.read()?.session != nil } catch { return true }
  }

  /// Removes the secrets beside the session: of sign-ins that were begun, and of what could not be read. What cannot be
  /// removed now is removed at the next sign-in or sign-out.
  func forgetLeftovers() {
    // A store that the person has just declined to unlock would prompt for each of them.
    if machine.store.failure?.code == .userPresenceRequired { return }
    (provider as? any ResumingAuthProvider)?.forgetBegunSignIns()
    try? store.removeQuarantinedCopies()
  }

  /// Removes the copies that the store made of what it could not read. A sign-in and a sign-out do so, too.
  ///
  /// - Throws: ``AuthenticationError`` if the store cannot remove them.
  package func removeQuarantinedCopies() throws(AuthenticationError) { try store.removeQuarantinedCopies() }

  /// Who was signed in before an ambiguous loss, until a person signs in or out: the key to the app's data, no session.
  public var formerUser: User? { machine.record.formerUser }
}
