public import AuthenticationDomain

extension SignUpModel {
  public var title: String {
    if case .alreadyExists = state { return words("sign_up.exists.title") }
    return confirmation?.title ?? words("sign_up.form.title")
  }

  public var isWorking: Bool {
    switch state {
    case .submitting: true
    case .confirming(let model): model.isWorking
    case .waiting(let model): model.isWorking
    case .editing, .alreadyExists, .next, .done: false
    }
  }

  public var activity: String? {
    if case .submitting = state { words("sign_up.submit.working") } else { confirmation?.activity }
  }

  public var failure: FlowFailure? {
    if case .editing(_, let failure) = state { failure } else { confirmation?.failure }
  }

  public var problems: [AuthenticationError.Code] { form?.problems ?? confirmation?.problems ?? [] }

  public var focus: Focus? {
    if case .alreadyExists = state { return Focus(.heading, turn: 0) }
    return form?.focus ?? confirmation?.focus ?? failure?.focus
  }

  public var announcement: Announcement? { confirmation?.announcement ?? activity.map { Announcement($0) } }

  /// What the person confirms the address with.
  private var confirmation: (any FlowModel)? {
    switch state {
    case .confirming(let model): model
    case .waiting(let model): model
    case .editing, .submitting, .alreadyExists, .next, .done: nil
    }
  }
}
