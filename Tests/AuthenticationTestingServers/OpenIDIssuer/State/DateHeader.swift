import Foundation

/// IMF-fixdate (RFC 9110 §5.6.7).
enum DateHeader {
  static func text(_ date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
    let day = days[(parts.weekday ?? 1) - 1]
    let month = months[(parts.month ?? 1) - 1]
    let time = [parts.hour, parts.minute, parts.second].map(padded).joined(separator: ":")
    return "\(day), \(padded(parts.day)) \(month) \(parts.year ?? 0) \(time) GMT"
  }

  private static func padded(_ number: Int?) -> String {
    let number = number ?? 0
    return number < 10 ? "0\(number)" : "\(number)"
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
