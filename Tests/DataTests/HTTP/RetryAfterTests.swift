import Foundation
import Testing

@testable import AuthenticationData

/// RFC 9110 §10.2.3 and §5.6.7.
@Suite struct RetryAfterTests {
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
    #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "", " ", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 GMT x",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
    "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT",
    "Sun, 06 Nov 10000 08:49:37 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 06 Nov 1994 08:49:37:1 GMT", "Sun, 06 Nov 1994 -1:49:37 GMT", "Sun, 06 Nov 1994 08:x:49:37 GMT",
    "Sun, 06 Nov 1994 08::49:37 GMT", "Sun, x Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
  ])
  func `anything else is no date`(text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }

  @Test(
    arguments: [
      (nil, nil), ("", nil), ("0", .zero), ("120", .seconds(120)), ("86400", .seconds(86_400)),
      ("86401", .seconds(86_400)),
      ("9223372036854775807", .seconds(86_400)), ("9223372036854775808", .seconds(86_400)), ("-1", nil), ("+1", nil),
      ("1.5", nil), ("1e3", nil), ("0x10", nil), ("१", nil), ("soon", nil),
      ("Thu, 01 Jan 1970 00:01:00 GMT", .seconds(60)),
      ("Thu, 01 Jan 1970 00:00:00 GMT", .zero), ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(86_400)),
    ] as [(String?, Duration?)])
  func `a server is left alone for as long as it says, and a day at most`(text: String?, wait: Duration?) {
    let response = HTTPResponse(status: 503, headers: text.map { ["retry-after": $0] } ?? [:])
    #expect(response.retryAfter(now: Date(timeIntervalSince1970: 0)) == wait)
  }

  @Test func `a date that has passed asks for no wait`() {
    let response = HTTPResponse(status: 503, headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"])
    #expect(response.retryAfter(now: Date(timeIntervalSince1970: 784_111_778)) == .zero)
  }
}
