/// When a session is refreshed, how failures are retried, and how long callers wait. Durations are monotonic time.
///
/// ```swift
/// let policy = try RefreshPolicy(leeway: .seconds(30), callerTimeout: .seconds(20))
/// ```
public struct RefreshPolicy: Sendable, Equatable {
  package let leeway: Duration
  package private(set) var earlyWindow: ClosedRange<Double>?
  package let retryAfterSpread: Double
  package let longestHoldOff: Duration
  package let backoffBase: Duration
  package let backoffCap: Duration
  package let resends: Int
  package let callerTimeout: Duration
  package let refreshTimeout: Duration

  /// The defaults, which are within their ranges.
  public static let standard = try! Self()

  /// For a process that may exit at any time, such as a command: nothing is refreshed in the background.
  public static let onDemand = {
    var policy = standard
    policy.earlyWindow = nil
    return policy
  }()

  /// A policy that differs from ``standard`` in the given values.
  ///
  /// - Parameters:
  ///   - leeway: callers wait for a refresh from this long before the access token expires; for a token whose lifetime
  ///     is less than four times as long, from a quarter of its lifetime before. 0 to 1 hour, by default 60 seconds.
  ///   - earlyWindow: a token in use is refreshed in the background at a random point of this part of its lifetime,
  ///     counted back from the leeway; nil if nothing is refreshed in the background, as in a process that may exit at
  ///     any time. 0 to 0.9, by default 0.15 to 0.3, so that a token of an hour outlasts an outage of ten minutes.
  ///   - retryAfterSpread: the largest part of itself by which a server's `Retry-After` is extended, at random, so that
  ///     clients that got the same value come back one after the other. 0 to 1, by default 0.25.
  ///   - longestHoldOff: the longest time for which waiting callers are refused because of a server's `Retry-After`.
  ///     0 to 1 hour, by default 60 seconds.
  ///   - backoffBase: the longest wait after a first failure; it grows with the failures. 1 millisecond to 1 day, by
  ///     default 1 second.
  ///   - backoffCap: the longest wait after any failure; callers that need a new token are refused for at most 20 seconds
  ///     of it. `backoffBase` to 1 day, by default 300 seconds.
  ///   - resends: how often a refresh token is sent again immediately after a lost response, while the provider may
  ///     still accept it. 0 to 3, by default 1.
  ///   - callerTimeout: how long a caller waits for a refresh, and a delivery for each revocation; the call itself
  ///     continues. 1 second to 1 day, by default 60 seconds.
  ///   - refreshTimeout: how long a provider may take for one refresh before the lock is released to other processes.
  ///     1 second to 1 day, by default 120 seconds.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for a value out of its range.
  public init(
    leeway: Duration = .seconds(60), earlyWindow: ClosedRange<Double>? = 0.15...0.3, retryAfterSpread: Double = 0.25,
    longestHoldOff: Duration = .seconds(60), backoffBase: Duration = .seconds(1), backoffCap: Duration = .seconds(300),
    resends: Int = 1, callerTimeout: Duration = .seconds(60), refreshTimeout: Duration = .seconds(120)
  ) throws(AuthenticationError) {
    self.leeway = try Self.checked(leeway, .zero ... .seconds(3_600), "leeway")
    for bound in [earlyWindow?.lowerBound, earlyWindow?.upperBound] {
      if let bound { _ = try Self.checked(bound, 0...0.9, "earlyWindow") }
    }
    self.earlyWindow = earlyWindow
    self.retryAfterSpread = try Self.checked(retryAfterSpread, 0...1, "retryAfterSpread")
    self.longestHoldOff = try Self.checked(longestHoldOff, .zero ... .seconds(3_600), "longestHoldOff")
    self.backoffBase = try Self.checked(backoffBase, .milliseconds(1) ... .seconds(86_400), "backoffBase")
    self.backoffCap = try Self.checked(backoffCap, backoffBase ... .seconds(86_400), "backoffCap")
    self.resends = try Self.checked(resends, 0...3, "resends")
    self.callerTimeout = try Self.checked(callerTimeout, .seconds(1) ... .seconds(86_400), "callerTimeout")
    self.refreshTimeout = try Self.checked(refreshTimeout, .seconds(1) ... .seconds(86_400), "refreshTimeout")
  }

  private static func checked<Value: Sendable>(
    _ value: Value, _ range: ClosedRange<Value>, _ name: String
  ) throws(AuthenticationError) -> Value {
    guard range.contains(value) else {
      throw AuthenticationError(
        .invalidConfiguration,
        "RefreshPolicy: \(name) is \(value), not within \(range.lowerBound) and \(range.upperBound).",
        suggestion: "Leave it out for the default.")
    }
    return value
  }
}

extension RefreshPolicy {
  /// How long before a token expires callers wait for its refresh.
  package func leeway(of token: AccessToken) -> Duration {
    token.lifetime.map { min(leeway, $0 / 4) } ?? .zero
  }

  /// Whether a new token of this lifetime would last for `wanted`, plus its leeway.
  func canLast(_ token: AccessToken, for wanted: Duration) -> Bool {
    token.lifetime.map { wanted < $0 - leeway(of: token) } ?? true
  }

  /// How much of the lifetime must be left for a caller who asks for `wanted`.
  ///
  /// - Parameter isCapped: whether a refresh has shown that no token of this provider lasts that long: then half of the
  ///   lifetime is enough, since otherwise each such caller would cause a refresh.
  func enough(of token: AccessToken, for wanted: Duration, isCapped: Bool) -> Duration {
    guard isCapped, !canLast(token, for: wanted), let lifetime = token.lifetime else { return wanted }
    return lifetime / 2
  }
}
