import Synchronization

extension SignInAttempts {
  /// Takes a link that the system passed to the app.
  ///
  /// The attempt that waits for it goes on. If none does, because the link was opened on another device or the pending
  /// step was lost, a new attempt asks for the address: it is never taken from the link.
  ///
  /// - Returns: the attempt that has the link.
  /// - Throws: ``AuthenticationError/Code/invalidLink`` for a link that leads elsewhere or was taken before, and while
  ///   an attempt is busy or waits for something else: that goes on.
  @discardableResult
  public func open(_ link: Secret) async throws(AuthenticationError) -> SignInAttempt {
    guard let url = links?.url(in: link) else { throw .invalidLink }
    let isAwaited = current?.state.challenge?.kind == .link
    if !isAwaited, let proof = contents.withLock({ $0.reauthenticating }), proof.current?.state.challenge?.kind == .link
    {
      contents.withLock { _ = $0.usedLinks.insert(link) }
      return try await proof.open(link)
    }
    let before = current
    if let before, before.state.isWorking { throw .invalidLink }
    let waiting = if let before, before.state.challenge != nil { before } else { await restored() }
    if let challenge = waiting?.state.challenge, challenge.kind != .link { throw .invalidLink }
    let isUsed = contents.withLock { $0.usedLinks.contains(link) }
    guard !isUsed || waiting?.state.failure?.code.disposition == .transient else { throw .invalidLink }
    let opened =
      if let waiting { waiting } else { SignInAttempt(try process(of: .emailLink), in: surroundings, link: link) }
    guard let attempt = place(opened, after: before) else { throw .invalidLink }
    contents.withLock { _ = $0.usedLinks.insert(link) }
    if let challenge = attempt.state.challenge { attempt.answer(ChallengeAnswer(to: challenge, .link(url))) }
    return attempt
  }
}
