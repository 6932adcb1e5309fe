public import AuthenticationDomain

extension SessionModel {
  /// Erases the session here, which succeeds at once, then has the provider end it. Does nothing while that is done, or
  /// while nobody is signed in.
  ///
  /// - Parameters:
  ///   - everywhere: whether the sessions on other devices end, too; this one does not wait for them.
  ///   - loss: what is lost for ever, as the person has confirmed.
  public func signOut(everywhere: Bool = false, losing loss: SignOutLoss? = nil) {
    guard !isWorking, let summary else { return }
    let sessions = everywhere ? sessions : nil
    call.run(
      { [control = flows.control] () async throws(AuthenticationError) in
        if let sessions {
          try await sessions.signOutEverywhere(by: control, losing: loss)
        } else {
          try await control.signOut(losing: loss)
        }
      }, then: { [weak self] in self?.show($0, summary, everywhere: everywhere) })
    state = .signingOut(summary, everywhere: everywhere, call: call.id)
  }

  /// Signs out although something is lost for ever, which the person was told.
  public func confirm() {
    if case .confirming(_, let loss, let everywhere) = state { signOut(everywhere: everywhere, losing: loss) }
  }

  /// Has the session erased again that the store refused to erase. Does nothing if there is none, or while that is done.
  public func retrySignOut() {
    guard canRetrySignOut, !call.isRunning, case .signedOut(let reason, _) = state else { return }
    flows.eraseAgain(by: call) { [weak self] result in
      if case .success = result, reason == .requested {
        self?.tellProvider()
      } else {
        self?.state = .signedOut(reason, .inBackground)
      }
    }
    state = .signedOut(reason, .pending)
  }

  /// Keeps the session.
  public func keep() {
    if case .confirming(let summary, _, _) = state { state = .shown(summary, nil) }
  }

  public func finished() async { await call.finished() }

  func show(_ known: AuthenticationState) {
    if isWorking { return }
    switch known {
    case .unknown, .unavailable: state = .unknown
    case .challenged: if case .signedOut = state { return } else { state = .signedOut(.absent, .inBackground) }
    case .signedOut(let reason):
      if case .signedOut = state { return }
      state = .signedOut(reason, .inBackground)
    case .signedIn(let active):
      flows.erasure.end()
      let new = SessionSummary(active)
      if case .confirming(let former, _, _) = state, former.user.id == new.user.id { return }
      if case .shown(let former, let failure) = state, former.user.id == new.user.id {
        state = .shown(new, failure)
      } else {
        state = .shown(new, nil)
      }
    }
  }

  private func show(
    _ result: Result<Void, AuthenticationError>, _ summary: SessionSummary, everywhere: Bool
  ) {
    switch result {
    case .success: tellProvider()
    case .failure(let error) where error.code == .confirmationRequired:
      state = .confirming(summary, error.loss ?? .anonymousAccount, everywhere: everywhere)
    case .failure(let error) where error.code == .otherSessionsRemain:
      state = .signedOut(.requested, .failed(error))
    case .failure(let error):
      state = .shown(summary, nil)
      show(flows.control.state)
      switch state {
      case .shown(let summary, _): state = .shown(summary, flows.failure(error))
      case .signedOut(let reason, _):
        if !flows.noteRefusedErasure(error), !error.isSilent { state = .signedOut(reason, .failed(error)) }
      // It is not known any more who is signed in, and nothing was erased: the question stays on the screen.
      case .unknown: state = .shown(summary, flows.failure(error))
      case .confirming, .signingOut: break
      }
    }
  }

  /// Nobody is signed in here by now, whatever the provider says.
  private func tellProvider() {
    guard let deliver else { return state = .signedOut(.requested, .inBackground) }
    state = .signedOut(.requested, .pending)
    call.run(
      { () async throws(AuthenticationError) in await deliver() },
      then: { [weak self] result in
        guard let self, case .signedOut(let reason, .pending) = state else { return }
        let failures = (try? result.get()) ?? []
        let worst = failures.first { $0.code == .otherSessionsRemain } ?? failures.first
        state = .signedOut(reason, worst.map(RemoteEnd.failed) ?? .ended)
      })
  }
}
