import AuthenticationDomain
import AuthenticationTesting
import Testing

@testable import AuthenticationData

/// Each library that sends the requests of a ``SystemHTTPClient`` on some platform, and that is here.
enum Transport: String, Sendable, CaseIterable {
  #if os(Linux)
  case libcurl
  #endif
  case urlSession = "URLSession"

  /// Its deadline is the clock's; libcurl's own limits are far away.
  func client(
    deadline: Duration = .seconds(30), maximumBodySize: Int = 1 << 20, trust: ServerTrust = .system,
    clock: any AuthenticationClock = ManualClock(), variables: [String: String] = [:]
  ) throws -> any HTTPClient {
    let limits = HTTPLimits(
      deadline: deadline, connecting: .seconds(600), silence: .seconds(600), maximumBodySize: maximumBodySize)
    #if os(Linux)
    if self == .libcurl {
      return try SystemHTTPClient(limits, trust, clock, Libcurl.shared, variables: variables)
    }
    #endif
    return try URLSessionHTTPClient(limits, trust: trust, clock: clock)
  }
}
