#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTPResponse {
  /// The server's own time when it answered (UTC, `Date`, RFC 9110 §6.6.1); nil where it says none that is readable.
  ///
  /// - Parameter now: this device's time, to tell the century of a two-digit year.
  package func date(now: Date) -> Date? { headers["Date"].flatMap { HTTPDate.parse($0, now: now) } }

  /// How far the server's clock is ahead of this device's, to a second or two; nil if it does not say.
  ///
  /// - Parameter receivedAt: this device's time at receipt (UTC).
  public func clockOffset(receivedAt: Date) -> Duration? {
    date(now: receivedAt).map { .seconds($0.timeIntervalSince(receivedAt).rounded()) }
  }
}
