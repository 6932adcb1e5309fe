import AuthenticationDomain

extension CodeEntryModel {
  public var title: String {
    switch state {
    case .expired: words("code.expired.title")
    case .spent: words("code.spent.title")
    case .editing, .verifying, .sending, .next, .done, .ended: words("code.entry.title")
    }
  }

  /// What the code is, and where it comes from, above its field.
  public var explanations: [String] {
    var sentences = entry?.explanations(in: words) ?? []
    if entry != nil, submitsByItself { sentences.append(words("code.entry.by_itself")) }
    return sentences
  }

  public var activity: String? {
    switch state {
    case .verifying: words("code.submit.working")
    case .sending: words("code.resend.working")
    default: nil
    }
  }

  /// Seconds until another code may be sent; zero if it may be sent now, nil if none can be.
  public var secondsToResend: Int? { entry?.resendAt?.secondsLeft(by: flows.clock) }

  /// Seconds until the code is taken no more; nil if that is not known.
  public var secondsLeft: Int? { entry?.expiresAt?.secondsLeft(by: flows.clock) }

  /// Seconds until a new attempt is taken after too many wrong codes; nil if that is not known, or none were.
  public var secondsToRetry: Int? {
    if case .spent(let until) = state { until?.secondsLeft(by: flows.clock) } else { nil }
  }

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
    case .expired: return Announcement(title, .assertive)
    case .spent: return Announcement(words("error.too_many_attempts"), .assertive)
    case .verifying, .sending: return activity.map { Announcement($0) }
    case .next, .done, .ended: return nil
    }
  }
}

extension CodeEntry {
  /// What the code is, and where it comes from.
  public func explanations(in words: Words) -> [String] {
    var sentences: [String] = []
    if isRestored { sentences.append(words("code.entry.restored")) }
    switch challenge.kind {
    case .oneTimePassword: sentences.append(words("code.entry.authenticator"))
    case .recoveryCode: sentences.append(words("code.entry.recovery"))
    default: if let destination { sentences.append(words("code.entry.sent", .text(destination))) }
    }
    return sentences
  }
}
