public import AuthenticationDomain

extension AccountModel {
  public var title: String {
    switch state {
    case .enrolling(_, let entry), .verifying(_, let entry, _):
      words(entry.challenge.kind == .enrolment ? "account.enrol.title" : "code.entry.title")
    case .confirmingDeletion: words("account.delete.title")
    case .deleting: words("account.delete.working")
    case .deleted: words("account.deleted.title")
    case .reauthenticating(_, let proof): proof.title
    case .loading, .unavailable, .shown, .changing, .next: words("account.page.title")
    }
  }

  public var activity: String? {
    switch state {
    case .loading: words("account.page.working")
    case .changing: words("account.change.working")
    case .verifying: words("code.submit.working")
    case .deleting: words("account.delete.working")
    case .reauthenticating(_, let proof): proof.activity
    case .unavailable, .shown, .enrolling, .next, .confirmingDeletion, .deleted: nil
    }
  }

  public var failure: FlowFailure? {
    switch state {
    case .unavailable(let failure), .shown(_, let failure): failure
    case .enrolling(_, let entry): entry.failure
    case .reauthenticating(_, let proof): proof.failure
    default: nil
    }
  }

  public var problems: [AuthenticationError.Code] {
    switch state {
    case .enrolling(_, let entry): entry.problem.map { [$0] } ?? []
    case .reauthenticating(_, let proof): proof.problems
    default: []
    }
  }

  public var focus: Focus? {
    switch state {
    case .enrolling(_, let entry): failure?.focus ?? (entry.text.isEmpty ? Focus(.field("code"), turn: 0) : nil)
    case .confirmingDeletion, .deleted: Focus(.heading, turn: 0)
    case .reauthenticating(_, let proof): proof.focus
    default: failure?.focus
    }
  }

  public var announcement: Announcement? {
    switch state {
    case .deleted:
      Announcement(
        [title, remainderSentence].compactMap { $0 }.joined(separator: " "), .assertive,
        turn: flows.erasure.failure?.turn ?? 0)
    case .reauthenticating(_, let proof): proof.announcement
    default: activity.map { Announcement($0) }
    }
  }
}
