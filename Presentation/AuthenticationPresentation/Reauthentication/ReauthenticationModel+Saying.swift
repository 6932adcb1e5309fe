public import AuthenticationDomain

extension ReauthenticationModel {
  public var title: String { proof?.title ?? words("reauthentication.ask.title") }

  public var activity: String? {
    switch state {
    case .checking: words("form.submit.working")
    case .resuming: words("account.change.working")
    default: proof?.activity
    }
  }

  public var failure: FlowFailure? {
    switch state {
    case .required(_, _, let failure), .askingPassword(_, _, let failure): failure
    case .askingCode(let entry): entry.failure
    case .failed(let failure): failure
    case .proving, .checking, .resuming, .done, .declined: proof?.failure
    }
  }

  public var problems: [AuthenticationError.Code] {
    switch state {
    case .askingPassword(let form, _, _): form.problems
    case .askingCode(let entry): entry.problem.map { [$0] } ?? []
    default: proof?.problems ?? []
    }
  }

  public var focus: Focus? {
    switch state {
    case .askingPassword(let form, _, let failure): form.focus ?? failure?.focus
    case .proving: proof?.focus
    default: failure?.focus
    }
  }

  public var announcement: Announcement? { proof?.announcement ?? activity.map { Announcement($0) } }

  private var proof: (any FlowModel)? {
    if case .proving(let step) = state { step.model } else { nil }
  }
}
