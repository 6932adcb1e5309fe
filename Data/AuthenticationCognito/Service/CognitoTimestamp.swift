#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// TIMESTAMP, as in `Tue Mar 3 04:05:06 UTC 2026`: made of integers, because formatters follow the device's calendar and
/// its 12-hour clock.
enum CognitoTimestamp {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  static func text(_ date: Date) -> String {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down))
    let time = seconds % 86_400
    let days = seconds / 86_400
    let (year, month, day) = civil(days)
    let clock = [time / 3_600, time / 60 % 60, time % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(weekdays[days % 7]) \(months[month - 1]) \(day) \(clock.joined(separator: ":")) UTC \(year)"
  }

  /// The Gregorian date of a day counted from 1970-01-01, counting years from March so that leap days come last.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
  }
}
