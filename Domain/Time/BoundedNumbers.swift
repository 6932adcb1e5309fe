package import Foundation

// Conversions of numbers that a provider, a store or an archive chose. Each has a range: `Int(_:)` and
// `Duration.seconds(_:)` of a number outside theirs end the process, and so does the calendar of a date beyond its
// years.

extension Int {
  /// Converts a number of this range; its fraction is dropped. Nil for any other number.
  package init?(_ number: Double, in range: ClosedRange<Int>) {
    let whole = number.rounded(.towardZero)
    guard whole.magnitude < 9e15, let integer = Self(exactly: whole), range.contains(integer) else { return nil }
    self = integer
  }
}

extension Duration {
  /// Converts a number of seconds between 0 and a bound, with its fraction. Nil for any other number.
  package init?(seconds number: Double, atMost bound: Duration) {
    guard number >= 0, number <= bound / .seconds(1) else { return nil }
    self = .seconds(number)
  }

  /// The whole seconds, rounded up; the largest number for any longer duration.
  package var roundedUpSeconds: Int {
    let (seconds, attoseconds) = components
    guard attoseconds > 0 else { return Int(clamping: seconds) }
    return seconds == .max ? .max : Int(clamping: seconds + 1)
  }
}

extension Date {
  /// The end of the year 9999, in seconds since 1970 (UTC).
  package static let latestSeconds = 253_402_300_799.0

  /// Converts seconds since 1970 (UTC) of at most the year 9999. Nil for any other number.
  package init?(boundedSecondsSince1970 number: Double) {
    guard number.magnitude <= Self.latestSeconds else { return nil }
    self.init(timeIntervalSince1970: number)
  }
}
