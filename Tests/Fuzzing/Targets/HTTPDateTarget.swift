import AuthenticationData
import Foundation

/// The value of a `Date` or `Retry-After` field.
enum HTTPDateTarget {
  private static let now = Date(timeIntervalSince1970: 1_790_000_000)
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  static func check(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    let response = HTTPResponse(status: 503, headers: ["Retry-After": text, "Date": text])
    let delay = response.retryAfter(now: now)
    try Finding.unless(delay.map { ($0 >= .zero && $0 <= .seconds(86_400)) } ?? true, "no caller waits more than a day")
    let date = HTTPDate.parse(text, now: now)
    try Finding.unless(response.date(now: now) == date, "the same field is the same date")
    guard let date else { return }
    try Finding.unless(delay != nil, "a date says how long to wait")
    try Finding.unless((0...253_402_300_800).contains(date.timeIntervalSince1970), "a year is 1970 to 9999")
    // By the calendar of Foundation, which the parser does not use. A leap second is the next minute's first.
    let written = try write(date)
    try Finding.unless(text.utf8.count <= 33, "a date has one of three forms")
    try Finding.unless(
      date.timeIntervalSince1970 >= 253_402_300_800 || HTTPDate.parse(written.date, now: now) == date,
      "what is written is read as it was")
    try Finding.unless(text.contains(written.time) || text.contains(":60"), "the time is the one that was written")
  }

  private static func write(_ date: Date) throws -> (date: String, time: String) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
    guard let year = parts.year, let month = parts.month, let day = parts.day, let hour = parts.hour,
      let minute = parts.minute, let second = parts.second, let weekday = parts.weekday
    else { throw Finding(description: "the calendar does not know the date") }
    let time = [hour, minute, second].map { padded($0, to: 2) }.joined(separator: ":")
    let day2 = "\(padded(day, to: 2)) \(months[month - 1]) \(padded(year, to: 4))"
    return ("\(weekdays[weekday - 1]), \(day2) \(time) GMT", time)
  }

  private static func padded(_ number: Int, to count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(count - digits.count, 0)) + digits
  }
}
