public import AuthenticationDomain

extension PasswordResetModel {
  public var title: String {
    switch state {
    case .sent(let account): words("reset.sent.title", .text(account))
    case .enteringCode, .verifying, .resending: words("code.entry.title")
    case .expired: words("code.expired.title")
    case .editingNew, .submitting: words("new_password.form.title")
    case .done: words("reset.done.title")
    case .askingAccount, .requesting: words("reset.ask.title")
    }
  }

  /// Whether an answer is awaited.
  public var isWorking: Bool { activity != nil }

  public var activity: String? {
    switch state {
    case .requesting: words("reset.ask.working")
    case .verifying: words("code.submit.working")
    case .resending: words("code.resend.working")
    case .submitting: words("new_password.submit.working")
    case .askingAccount, .sent, .enteringCode, .expired, .editingNew, .done: nil
    }
  }

  /// Seconds until another code may be sent; zero if it may be sent now, nil if none can be.
  public var secondsToResend: Int? {
    switch state {
    case .enteringCode(let entry, _), .expired(let entry, _): entry.resendAt?.secondsLeft(by: flows.clock)
    default: nil
    }
  }

  public var failure: FlowFailure? {
    switch state {
    case .askingAccount(_, let failure): failure
    case .enteringCode(let entry, _), .expired(let entry, _): entry.failure
    case .editingNew(let entry, _, _): entry.failure
    default: nil
    }
  }

  public var problems: [AuthenticationError.Code] {
    switch state {
    case .askingAccount(let form, _): form.problems
    case .enteringCode(let entry, _): entry.problem.map { [$0] } ?? []
    case .editingNew(let entry, _, _): entry.form.problems
    default: []
    }
  }

  public var focus: Focus? {
    switch state {
    case .askingAccount(let form, let failure): form.focus ?? failure?.focus
    case .enteringCode(let entry, _):
      Focus(entry.failure == nil ? .field("code") : .message, turn: entry.failure?.turn ?? 0)
    case .editingNew(let entry, _, _): entry.focus
    case .sent, .done, .expired: Focus(.heading, turn: 0)
    case .requesting, .verifying, .resending, .submitting: nil
    }
  }

  public var announcement: Announcement? {
    switch state {
    case .expired: Announcement(title, .assertive)
    default: activity.map { Announcement($0) }
    }
  }
}
