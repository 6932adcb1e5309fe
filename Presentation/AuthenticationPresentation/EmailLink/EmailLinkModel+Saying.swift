import AuthenticationDomain

extension EmailLinkModel {
  /// Seconds until another link may be sent; zero if it may be sent now, nil if none can be.
  public var secondsToResend: Int? {
    switch state {
    case .waiting(let wait), .expired(let wait): wait.resendAt?.secondsLeft(by: flows.clock)
    default: nil
    }
  }

  public var announcement: Announcement? {
    switch state {
    case .waiting(let wait) where wait.failure == nil && !wait.isRestored: Announcement(words("link.waiting.title"))
    case .expired: Announcement(words("link.expired.title"), .assertive)
    default: nil
    }
  }
}
