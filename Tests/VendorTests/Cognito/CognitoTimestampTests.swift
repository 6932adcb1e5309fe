import Foundation
import Testing

@testable import AuthenticationCognito

/// The one form of a time that the service reads; expected texts from Python's calendar.
@Suite struct CognitoTimestampTests {
  @Test(arguments: [
    (0, "Thu Jan 1 00:00:00 UTC 1970"),
    (68_169_600, "Tue Feb 29 00:00:00 UTC 1972"),
    (951_782_399, "Mon Feb 28 23:59:59 UTC 2000"),
    (951_782_400, "Tue Feb 29 00:00:00 UTC 2000"),
    (1_709_164_800, "Thu Feb 29 00:00:00 UTC 2024"),
    (1_709_251_199, "Thu Feb 29 23:59:59 UTC 2024"),
    (1_709_251_200, "Fri Mar 1 00:00:00 UTC 2024"),
    (1_772_510_706, "Tue Mar 3 04:05:06 UTC 2026"),
    (1_767_225_599, "Wed Dec 31 23:59:59 UTC 2025"),
    (1_798_761_599, "Thu Dec 31 23:59:59 UTC 2026"),
    (4_107_542_399, "Sun Feb 28 23:59:59 UTC 2100"),
  ]) func `a time is written as the service reads it`(seconds: Int, text: String) {
    #expect(CognitoTimestamp.text(Date(timeIntervalSince1970: Double(seconds) + 0.9)) == text)
  }
}
