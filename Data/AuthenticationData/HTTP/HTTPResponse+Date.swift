#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTPResponse {
  /// The server's time when it responded (UTC, `Date`, RFC 9110 §6.6.1); nil if the field is missing or cannot be read.
  ///
  /// - Parameter now: this device's time, to determine the century of a two-digit year.
  package func date(now: Date) -> Date? { headers["Date"].flatMap { HTTPDate.parse($0, now: now) } }

  /// How far the server's clock is ahead of this device's, to a second or two.
  ///
  /// - Parameter receivedAt: this device's time at receipt (UTC).
  /// - Returns: nil if the response has no readable date.
  public func clockOffset(receivedAt: Date) -> Duration? {
    date(now: receivedAt).map { .seconds($0.timeIntervalSince(receivedAt).rounded()) }
  }
}
