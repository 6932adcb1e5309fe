extension AuthManager {
  /// Erases the session here, then ends it at the provider.
  ///
  /// Returns when the session is erased; the provider hears of it in the background, or later where it cannot be
  /// reached (``deliverRevocations()``). Throws where the store cannot be read (nothing changed), or could not be
  /// erased: then the person is signed out here, and erasing is tried again.
  public func signOut() async throws(AuthenticationError) {
    try erase(revoking: true)
  }

  /// Erases the session here and tells the provider nothing.
  public func clear() throws(AuthenticationError) {
    try erase(revoking: false)
  }

  private func erase(revoking: Bool) throws(AuthenticationError) {
    if case .unavailable(let error) = restore() { throw error }
    commit(.signOutRequested(revoking: revoking, at: clock.now))
    if let failure = machine.unsaved, storeHoldsSession { throw failure }
  }

  private var storeHoldsSession: Bool {
    do { return try store.read()?.session != nil } catch { return true }
  }

  /// Sends what sign-outs still owe the provider, and returns when all of it was tried once.
  ///
  /// Answers why the latest delivery did not reach its end, or never can:
  /// ``AuthenticationError/Code/unsupportedMethod`` where the provider has no way to end a session.
  @discardableResult
  public func deliverRevocations() async -> [AuthenticationError] {
    restore()
    startDelivery()
    return await delivery?.value ?? deliveryFailures
  }

  func startDelivery() {
    guard delivery == nil, !machine.record.pendingRevocations.isEmpty else { return }
    delivery = Task(executorPreference: taskExecutor) { await self.deliverEach() }
  }

  private func deliverEach() async -> [AuthenticationError] {
    var failures: [AuthenticationError] = []
    var tried: [SessionTokens] = []
    while let revocation = machine.record.pendingRevocations.first(where: { !tried.contains($0.tokens) }) {
      tried.append(revocation.tokens)
      if !revocation.isTimely(at: clock.now) { commit(.revocationStarted(revocation, at: clock.now)) }
      var failure: AuthenticationError?
      do { try await deliver(revocation) } catch { failure = error }
      if let failure { failures.append(failure) }
      commit(.revocationAnswered(revocation, failure))
    }
    delivery = nil
    deliveryFailures = failures
    return failures
  }

  private func deliver(_ revocation: PendingRevocation) async throws(AuthenticationError) {
    if let user = machine.record.session?.user, revocation.userID ?? user.id == user.id {
      try await provider.retire(revocation.tokens)
    } else {
      try await provider.revoke(revocation.tokens)
    }
  }
}

extension AuthManager {
  /// Whether the provider has yet to hear of a sign-out.
  public var hasPendingRevocations: Bool { !machine.record.pendingRevocations.isEmpty }
}
