public import AuthenticationDomain

extension AccountConflictModel {
  public var title: String {
    switch state {
    case .proving(let step, _): step.model?.title ?? words("conflict.ask.title")
    case .linked: words("conflict.linked.title")
    case .expired: words("conflict.expired.title")
    case .conflict, .linking, .next, .failed, .declined: words("conflict.ask.title")
    }
  }

  public var activity: String? {
    if case .linking = state { words("conflict.link.working") } else { proof?.activity }
  }

  public var failure: FlowFailure? {
    if case .failed(let failure) = state { failure } else { proof?.failure }
  }

  public var problems: [AuthenticationError.Code] { proof?.problems ?? [] }

  public var focus: Focus? {
    switch state {
    case .proving: proof?.focus
    case .linking: nil
    default: failure?.focus ?? Focus(.heading, turn: 0)
    }
  }

  public var announcement: Announcement? { proof?.announcement ?? activity.map { Announcement($0) } }

  private var proof: (any FlowModel)? {
    if case .proving(let step, _) = state { step.model } else { nil }
  }
}
