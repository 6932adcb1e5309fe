import AuthenticationDomain
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension HTTPResponse {
  /// How long the server asks to be left alone: seconds, or a date (RFC 9110 §10.2.3). Nil where it says nothing
  /// readable; a date that has passed is zero; never more than a day.
  package func retryAfter(now: Date) -> Duration? {
    guard let text = headers["Retry-After"] else { return nil }
    let longest = 86_400
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Int(text) ?? longest, longest))
    }
    guard let date = HTTPDate.parse(text, now: now) else { return nil }
    return .seconds(min(max(date.timeIntervalSince(now), 0), Double(longest)))
  }
}
