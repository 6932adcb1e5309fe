import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date {
  /// How far this device's time is ahead of a server's, negative if it is behind; nil if the difference is tolerated.
  func offset(from serverDate: Date, beyond tolerance: Duration) -> Duration? {
    let offset = Duration.seconds(timeIntervalSince(serverDate))
    return max(offset, .zero - offset) > tolerance ? offset : nil
  }
}

extension AuthenticationError {
  /// - Parameters:
  ///   - offset: how far this device's clock is ahead of the issuer's.
  ///   - isOurs: whether this client's tolerance was exceeded, and not the issuer's.
  static func clockSkewed(by offset: Duration, toleranceIsOurs isOurs: Bool = true) -> Self {
    let seconds = offset.components.seconds
    var error = Self(
      .clockSkewed,
      "This device's clock is \(abs(seconds)) \(abs(seconds) == 1 ? "second" : "seconds") \(seconds < 0 ? "behind" : "ahead of") the issuer's.",
      suggestion: isOurs
        ? "Set the device's clock, or allow more in OpenIDClient.clockTolerance." : "Set the device's clock.")
    error.clockOffset = offset
    return error
  }
}
