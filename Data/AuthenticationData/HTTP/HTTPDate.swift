package import Foundation

/// The date of HTTP header fields, in the three forms that every recipient must read (RFC 9110 §5.6.7):
/// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
package enum HTTPDate {
  /// The part after the weekday: `b` is a letter of the month, `_` a digit of the day or a space, `d`, `y`, `h`, `m`
  /// and `s` are digits, and any other character stands for itself.
  private static let forms = [", dd bbb yyyy hh:mm:ss GMT", ", dd-bbb-yy hh:mm:ss GMT", " bbb _d hh:mm:ss yyyy"]
  private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Nil for anything else. A year of two digits is the latest one that is at most 50 years after `now`; the weekday
  /// is not compared with the date.
  package static func parse(_ text: String, now: Date) -> Date? {
    let weekday = text.prefix { $0.isLetter }
    guard weekdays.contains(where: { $0 == weekday || $0.prefix(3) == weekday }) else { return nil }
    let rest = text.utf8.dropFirst(weekday.utf8.count)
    guard let (monthName, numbers, hasWholeYear) = forms.lazy.compactMap({ fields(rest, $0) }).first,
      let month = months.firstIndex(of: monthName), let day = numbers["d"], let hour = numbers["h"],
      let minute = numbers["m"], let second = numbers["s"], var year = numbers["y"],
      hour < 24, minute < 60, second <= 60
    else { return nil }
    func seconds(in year: Int) -> Double {
      Double(((days(year, month + 1, day) * 24 + hour) * 60 + minute) * 60 + second)
    }
    if !hasWholeYear {
      year += 9_900
      while year >= 1970, seconds(in: year - 50) > now.timeIntervalSince1970 { year -= 100 }
    }
    guard year >= 1970, (1...days(in: month + 1, of: year)).contains(day) else { return nil }
    return Date(timeIntervalSince1970: seconds(in: year))
  }

  /// Days since 1970-01-01 in the Gregorian calendar, counting years from March so that leap days come last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }

  private static func days(in month: Int, of year: Int) -> Int {
    days(month == 12 ? year + 1 : year, month % 12 + 1, 1) - days(year, month, 1)
  }

  /// The values that a text has in place of a form's letters; nil if the text does not have this form.
  private static func fields(
    _ text: Substring.UTF8View, _ form: String
  ) -> (month: String, numbers: [Unicode.Scalar: Int], hasWholeYear: Bool)? {
    guard text.count == form.utf8.count else { return nil }
    var month = ""
    var numbers: [Unicode.Scalar: Int] = [:]
    for (byte, letter) in zip(text, form.unicodeScalars) {
      switch letter {
      case "b": month.unicodeScalars.append(Unicode.Scalar(byte))
      case "_" where byte == 0x20: continue
      case "_", "d", "h", "m", "s", "y":
        guard byte.isDigit else { return nil }
        let name = letter == "_" ? "d" : letter
        numbers[name] = numbers[name, default: 0] * 10 + Int(byte - 0x30)
      default: guard letter.value == byte else { return nil }
      }
    }
    return (month, numbers, form.contains("yyyy"))
  }
}
