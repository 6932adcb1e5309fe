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
    guard let date = HTTPDate.parse(text) else { return nil }
    return .seconds(min(max(date.timeIntervalSince(now), 0), Double(longest)))
  }
}

/// The date of HTTP header fields: `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110 §5.6.7).
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Nil for any other form.
  package static func parse(_ text: String) -> Date? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
      let month = months.firstIndex(of: String(parts[2])), (1...31).contains(day), (1970...9999).contains(year)
    else { return nil }
    let time = parts[4].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2])
    else { return nil }
    let seconds = ((days(year, month + 1, day) * 24 + time[0]) * 60 + time[1]) * 60 + time[2]
    return Date(timeIntervalSince1970: Double(seconds))
  }

  /// Days since 1970-01-01 in the Gregorian calendar, counting years from March so that leap days come last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
