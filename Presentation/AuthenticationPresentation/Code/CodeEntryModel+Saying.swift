import AuthenticationDomain

extension CodeEntryModel {
  /// Seconds until another code may be sent; zero if it may be sent now, nil if none can be.
  public var secondsToResend: Int? { entry?.resendAt?.secondsLeft(by: flows.clock) }

  /// Seconds until the code is taken no more; nil if that is not known.
  public var secondsLeft: Int? { entry?.expiresAt?.secondsLeft(by: flows.clock) }

  /// That a code was sent, once the provider has said so, then how long it is still taken: at 30 and at 10 seconds, and
  /// at the end. The seconds between are shown, and not said.
  public var announcement: Announcement? {
    switch state {
    case .editing(let entry):
      if let left = secondsLeft, left <= 30 {
        let said = left <= 10 ? 10 : 30
        return Announcement(words("code.entry.expires", .count(said)), turn: said)
      }
      return entry.wasResent ? Announcement(words("code.entry.resent")) : nil
    case .expired: return Announcement(words("code.expired.title"), .assertive)
    case .spent: return Announcement(words("error.too_many_attempts"), .assertive)
    case .verifying, .sending, .next, .done, .ended: return nil
    }
  }
}
