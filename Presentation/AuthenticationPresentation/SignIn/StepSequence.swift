package import AuthenticationDomain

/// The result of a step of a sign-in.
package enum StepEnd {
  /// The attempt's next challenge.
  case next(SignInAttempt)
  /// The choice among the factors of the attempt.
  case factors(SignInAttempt)
  /// A link was opened that continues another attempt.
  case link(SignInAttempt)
  /// The user chose a method.
  case chosen(SignInMethod)
  case done(AuthSession)
  /// The user left it, or it cannot continue.
  case left
}

/// Leads from one step of a sign-in to the next.
@MainActor
package final class StepSequence {
  private let flows: FlowEnvironment
  private let show: @MainActor (SignInStep) -> Void
  private let end: @MainActor (AuthSession?) -> Void
  package private(set) var step: SignInStep?
  /// The inputs before the step that is shown.
  private var form: SignInFormModel?

  /// - Parameters:
  ///   - show: shows a step.
  ///   - end: called with the session that the attempt made; nil if the user left it.
  package init(
    in flows: FlowEnvironment, show: @escaping @MainActor (SignInStep) -> Void,
    end: @escaping @MainActor (AuthSession?) -> Void
  ) {
    self.flows = flows
    self.show = show
    self.end = end
  }

  package func start(_ method: SignInMethod) {
    form = nil
    go(to: SignInStep(method, in: flows))
  }

  /// Goes to a step, and from there to its result.
  ///
  /// - Parameter former: the form that the step leads back to; by default that of the sign-in.
  func go(to step: SignInStep, backTo former: SignInFormModel? = nil) {
    form = former ?? form
    self.step?.model?.onEnd = nil
    self.step = step
    step.model?.onEnd = { [weak self] in self?.advance($0) }
    show(step)
  }

  private func advance(_ end: StepEnd) {
    switch end {
    case .next(let attempt):
      guard let next = SignInStep(attempt, in: flows) else { return }
      form = step?.form ?? form
      go(to: next)
    case .factors(let attempt):
      if let model = ChallengePickerModel(attempt, in: flows) { go(to: .factors(model)) }
    case .link(let attempt):
      let model = SignInFormModel(.emailLink, in: flows)
      form = nil
      go(to: .form(model))
      model.advance(with: attempt)
    case .chosen(let method): start(method)
    case .done(let session):
      (step, form) = (nil, nil)
      self.end(session)
    case .left: goBack()
    }
  }

  /// Cancels the attempt in progress, and goes back; does nothing once the user is signed in.
  package func leave() {
    if let attempt = flows.attempts.current, !attempt.state.isEnded {
      attempt.cancel()
      if case .ended(.signedIn) = attempt.state { return }
    }
    if step != nil { goBack() }
  }

  /// Shows the form again with its inputs; where there was none, the user has left.
  func goBack() {
    guard let form else { return end(nil) }
    self.form = nil
    form.reopen()
    go(to: .form(form))
  }
}
