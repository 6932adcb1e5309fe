import AuthenticationDomain
import AuthenticationTesting
import Testing

@testable import AuthenticationData

/// Each thing that can carry a ``SystemHTTPClient``'s requests here.
enum Transport: String, Sendable, CaseIterable {
  #if os(Linux)
  case libcurl
  #endif
  case urlSession = "URLSession"

  /// Its deadline is the clock's; what libcurl measures itself is far away.
  func client(
    deadline: Duration = .seconds(30), maximumBodySize: Int = 1 << 20, trust: ServerTrust = .system,
    clock: any AuthenticationClock = ManualClock(), variables: [String: String] = [:]
  ) throws -> SystemHTTPClient {
    let limits = HTTPLimits(
      deadline: deadline, connecting: .seconds(600), silence: .seconds(600), maximumBodySize: maximumBodySize)
    #if os(Linux)
    let library = self == .libcurl ? Libcurl.shared : nil
    let client = try SystemHTTPClient(limits, trust, clock, library, variables: variables)
    try #require(client.description == rawValue)
    return client
    #else
    return try SystemHTTPClient(deadline: deadline, maximumBodySize: maximumBodySize, trust: trust, clock: clock)
    #endif
  }
}
