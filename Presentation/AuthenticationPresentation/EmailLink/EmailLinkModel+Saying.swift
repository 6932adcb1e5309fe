import AuthenticationDomain

extension EmailLinkModel {
  public var title: String {
    switch state {
    case .openedElsewhere, .proving: words("link.elsewhere.title")
    case .expired: words("link.expired.title")
    case .waiting, .verifying, .resending: words("link.waiting.title")
    case .askingEmail, .sending, .next, .done: words("link.ask.title")
    }
  }

  public var isWorking: Bool {
    switch state {
    case .sending, .proving, .verifying, .resending: true
    default: false
    }
  }

  public var activity: String? {
    switch state {
    case .sending, .resending: words("link.ask.working")
    case .proving, .verifying: words("form.submit.working")
    default: nil
    }
  }

  /// Seconds until another link may be sent; zero if it may be sent now, nil if none can be.
  public var secondsToResend: Int? {
    switch state {
    case .waiting(let wait), .expired(let wait): wait.resendAt?.secondsLeft(by: flows.clock)
    default: nil
    }
  }

  public var announcement: Announcement? {
    switch state {
    case .waiting(let wait) where wait.failure == nil && !wait.isRestored: Announcement(title)
    case .expired: Announcement(title, .assertive)
    default: activity.map { Announcement($0) }
    }
  }
}
