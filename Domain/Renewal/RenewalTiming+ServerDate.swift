#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RenewalTiming {
  /// Whether a server's date would show how much is left of the token: an earlier process received it, with the
  /// provider's time, and the device's clock may have been set since.
  var wantsServerDate: Bool { isRemembered && token?.clockOffset != nil }

  /// Corrects the token's expiry by the server's clock.
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
