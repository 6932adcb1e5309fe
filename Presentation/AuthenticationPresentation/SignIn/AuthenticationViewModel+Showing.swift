import AuthenticationDomain

extension AuthenticationViewModel {
  /// Shows what is known of who is signed in. A step that is on the screen stays, with what was typed.
  func show(_ known: AuthenticationState) {
    switch known {
    case .unknown: break
    case .unavailable:
      if case .storeLocked = state { return }
      state = .storeLocked(LockedStoreModel(in: flows))
    case .challenged: if step == nil { leave(.absent) }
    case .signedOut(let reason): leave(reason)
    case .signedIn(let active) where active.freshness == .expired:
      let summary = SessionSummary(active)
      if let step { state = .expired(summary, step) } else { state = .expired(summary, firstStep()) }
    case .signedIn(let active):
      if let attempt = unfinishedAttempt(of: active.session.user) { return wait(forEndOf: attempt) }
      if completion?.user.id != active.session.user.id { completion = nil }
      session.show(known)
      if case .signedIn(_, completion) = state { return }
      state = .signedIn(session, completion)
    }
  }

  /// Shows a step in place of the one before.
  func show(_ step: SignInStep) {
    switch state {
    case .signedOut(let reason, _): state = .signedOut(reason, step)
    case .expired(let summary, _): state = .expired(summary, step)
    case .unknown, .storeLocked, .signedIn: break
    }
  }

  /// Shows the list of methods, or the first step of the only one.
  func showMethods() {
    if step != nil { _ = firstStep() }
  }

  /// The attempt that has signed this user in, while what runs after the sign-in still runs; nil once this model shows
  /// a session.
  private func unfinishedAttempt(of user: User) -> SignInAttempt? {
    if case .signedIn = state { return nil }
    guard let attempt = flows.attempts.current, !attempt.state.isEnded, attempt.session?.user.id == user.id else {
      return nil
    }
    return attempt
  }

  /// The step, which follows the same attempt, is first to hear of its end.
  private func wait(forEndOf attempt: SignInAttempt) {
    guard finishing == nil else { return }
    let states = attempt.states()
    finishing = Task { [weak self] in
      for await _ in states {}
      await self?.steps.step?.model?.finished()
      guard let self else { return }
      finishing = nil
      show(flows.control.state)
    }
  }

  private func leave(_ reason: SignOutReason) {
    completion = nil
    switch state {
    case .signedOut(_, let step), .expired(_, let step): state = .signedOut(reason, step)
    case .unknown where restoring == nil: restorePendingStep(reason)
    case .unknown: break
    case .storeLocked where restoring == nil:
      state = .unknown
      restorePendingStep(reason)
    case .storeLocked, .signedIn: state = .signedOut(reason, firstStep())
    }
  }

  /// What was asked before the app was closed is asked again, and nothing is sent for it.
  private func restorePendingStep(_ reason: SignOutReason) {
    restoring = Task { [weak self, flows] in
      var attempt: SignInAttempt?
      if !flows.restoresPendingStep {
        await flows.attempts.forgetPending()
      } else if self?.steps.step == nil {
        attempt = await flows.attempts.resume()
      }
      guard let self, case .unknown = state else { return }
      let restored = attempt.flatMap { SignInStep($0, in: flows, isRestored: true) }
      state = .signedOut(reason, steps.step ?? restored ?? firstStep())
      if let restored, steps.step == nil { steps.go(to: restored) }
      firstForm = nil
    }
  }

  /// A new step, so that nothing of a former sign-in stays on the screen.
  private func firstStep() -> SignInStep {
    let methods = flows.attempts.methods
    let first: SignInStep =
      if methods.count != 1 {
        .methods(MethodListModel(in: flows))
      } else if let form = firstForm {
        .form(form)
      } else {
        SignInStep(methods[0], in: flows)
      }
    firstForm = nil
    steps.go(to: first)
    return first
  }
}
