import AuthenticationDomain

/// Leads from one step of a sign-in to the next.
@MainActor
final class StepSequence {
  private let flows: FlowEnvironment
  private let show: @MainActor (SignInStep) -> Void
  private let end: @MainActor (SignInCompletion?) -> Void
  private(set) var step: SignInStep?
  /// What was filled in before the step that is shown.
  private var form: SignInFormModel?

  /// - Parameters:
  ///   - show: shows a step.
  ///   - end: called with what the attempt made; nil if the person left it.
  init(
    in flows: FlowEnvironment, show: @escaping @MainActor (SignInStep) -> Void,
    end: @escaping @MainActor (SignInCompletion?) -> Void
  ) {
    self.flows = flows
    self.show = show
    self.end = end
  }

  func start(_ method: SignInMethod) {
    form = nil
    go(to: SignInStep(method, in: flows))
  }

  /// Goes to a step, and from there to what comes after it.
  func go(to step: SignInStep) {
    self.step?.onEnd { _ in }
    self.step = step
    step.onEnd { [weak self] in self?.goOn($0) }
    show(step)
  }

  private func goOn(_ end: StepEnd) {
    switch end {
    case .next(let attempt):
      guard let next = SignInStep(attempt, in: flows) else { return }
      form = step?.form ?? form
      go(to: next)
    case .factors(let attempt):
      if let model = ChallengePickerModel(attempt, in: flows) { go(to: .factors(model)) }
    case .chosen(let method): start(method)
    case .done(let completion):
      (step, form) = (nil, nil)
      self.end(completion)
    case .left: goBack()
    }
  }

  /// Shows the form again with what was filled in; where there was none, the person has left.
  func goBack() {
    guard let form else { return end(nil) }
    self.form = nil
    form.reopen()
    go(to: .form(form))
  }
}
