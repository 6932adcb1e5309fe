#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RenewalTiming {
  /// Whether a server's date would tell how much is left of the token: it was received by a process before this one,
  /// with the provider's time, and the device's clock may have been set since.
  var wantsServerDate: Bool { isRemembered && token?.clockOffset != nil }

  /// Moves the token's end to where the servers' clock puts it.
  mutating func correct(by serverDate: Date, at uptime: Duration) {
    guard wantsServerDate, let token, let offset = token.clockOffset, let expiresAt = token.expiresAt,
      let lifetime = token.lifetime, let endsAt
    else { return }
    isRemembered = false
    let left = Duration.seconds(expiresAt.timeIntervalSince(serverDate)) + offset
    let corrected = uptime + min(max(left, .zero), lifetime)
    earlyPoint = earlyPoint.map { $0 + corrected - endsAt }
    self.endsAt = corrected
  }
}
