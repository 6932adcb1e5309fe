import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTPResponse {
  /// How long the server asks clients to wait, in seconds or until a date (`Retry-After`, RFC 9110 §10.2.3).
  ///
  /// - Parameter now: the wall clock (UTC), for a date.
  /// - Returns: nil if the value is missing or not readable, zero for a date that has passed, at most a day.
  public func retryAfter(now: Date) -> Duration? {
    guard let text = headers["Retry-After"] else { return nil }
    let longest = 86_400
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Int(text) ?? longest, longest))
    }
    guard let date = HTTPDate.parse(text, now: now) else { return nil }
    return .seconds(min(max(date.timeIntervalSince(now), 0), Double(longest)))
  }
}
