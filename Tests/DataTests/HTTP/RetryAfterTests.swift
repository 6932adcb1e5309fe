import Foundation
import Testing

@testable import AuthenticationData

/// RFC 9110 §10.2.3.
@Suite struct RetryAfterTests {
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
