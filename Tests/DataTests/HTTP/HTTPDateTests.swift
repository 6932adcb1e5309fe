import Foundation
import Testing

@testable import AuthenticationData

/// RFC 9110 §5.6.7.
@Suite struct HTTPDateTests {
  let now = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01

  @Test(arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
  func `each of the three forms is read`(text: String) {
    #expect(HTTPDate.parse(text, now: now) == Date(timeIntervalSince1970: 784_111_777))
  }

  @Test(arguments: [
    ("Wed Nov 16 08:49:37 1994", "Wed, 16 Nov 1994 08:49:37 GMT"),
    ("Thursday, 01-Jan-26 00:00:00 GMT", "Thu, 01 Jan 2026 00:00:00 GMT"),
    ("Wednesday, 01-Jan-76 00:00:00 GMT", "Wed, 01 Jan 2076 00:00:00 GMT"),
    ("Thursday, 01-Jan-76 00:00:01 GMT", "Thu, 01 Jan 1976 00:00:01 GMT"),
    ("Saturday, 01-Jan-77 00:00:00 GMT", "Sat, 01 Jan 1977 00:00:00 GMT"),
    ("Friday, 31-Dec-99 23:59:59 GMT", "Fri, 31 Dec 1999 23:59:59 GMT"),
    ("Tuesday, 29-Feb-00 00:00:00 GMT", "Tue, 29 Feb 2000 00:00:00 GMT"),
  ])
  func `a year of two digits is in the past where it would be more than fifty years ahead`(text: String, same: String) {
    #expect(HTTPDate.parse(text, now: now) == HTTPDate.parse(same, now: now))
    #expect(HTTPDate.parse(text, now: now) != nil)
  }

  @Test func `a year of two digits is in the next century where that is near`() {
    let eve = Date(timeIntervalSince1970: 4_102_444_799)  // 2099-12-31 23:59:59
    let date = HTTPDate.parse("Friday, 01-Jan-00 00:00:00 GMT", now: eve)
    #expect(date == eve.addingTimeInterval(1))
  }

  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 01 Jan 1970 00:00:01 GMT", 1),
    ("Sat, 28 Feb 1970 23:59:59 GMT", 5_097_599),
    ("Sun, 01 Mar 1970 00:00:00 GMT", 5_097_600), ("Tue, 29 Feb 1972 00:00:00 GMT", 68_169_600),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
    ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Fri, 31 Dec 1999 23:59:59 GMT", 946_684_799),
    ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800), ("Thu, 01 Jan 2026 00:00:00 GMT", 1_767_225_600),
    ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648), ("Sun, 28 Feb 2100 00:00:00 GMT", 4_107_456_000),
    ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
  ])
  func `a date is read as its second`(text: String, seconds: Double) {
    #expect(HTTPDate.parse(text, now: now) == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "", " ", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 GMT x",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
    "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT",
    "Sun, 06 Nov 10000 08:49:37 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 06 Nov 1994 08:49:37:1 GMT", "Sun, 06 Nov 1994 -1:49:37 GMT", "Sun, 06 Nov 1994 08:x:49:37 GMT",
    "Sun, 31 Feb 1994 08:49:37 GMT", "Tue, 29 Feb 2100 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun,  6 Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37", "Sunday 06-Nov-94 08:49:37 GMT",
    "Sunday, 00-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  0 08:49:37 1994",
    "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  6 08:49:37 94", "Sun Nov 6  08:49:37 1994", "Sun Nov  6 08:49:37 1969",
    "Son, 06 Nov 1994 08:49:37 GMT", ", 06 Nov 1994 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08::49:37 GMT", "Sun, x Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
  ])
  func `anything else is no date`(text: String) {
    #expect(HTTPDate.parse(text, now: now) == nil)
  }
}
