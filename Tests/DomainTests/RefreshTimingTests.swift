import AuthenticationDomainTesting
import Testing

@testable import AuthenticationDomain

/// The moments themselves, in seconds after a token came.
@Suite struct RefreshTimingTests {
  let clock = ManualClock()

  private func timing(lifetime: Duration? = .seconds(3_600), early: Double? = 0.5) -> RefreshTiming {
    var timing = RefreshTiming(policy: .bench(refreshesEarly: early != nil))
    timing.follow(.sample(receivedAt: clock.now, lifetime: lifetime), generation: 1, by: clock) { early ?? 0 }
    return timing
  }

  private func seconds(_ uptime: Duration?) -> Duration? { uptime.map { $0 - clock.uptime } }

  private func fail(
    _ timing: inout RefreshTiming, after seconds: Duration, by failure: AuthenticationError = .serverFailed,
    retryAfter: Duration? = nil, random: Double = 0.5, lifetime: Duration = .seconds(3_600)
  ) {
    var error = failure
    error.retryAfter = retryAfter
    let token = AuthSession.sample(receivedAt: clock.now, lifetime: lifetime).accessToken
    timing.noteFailure(error, of: token, at: clock.uptime + seconds, backoff: Backoff { random })
  }

  private func isHeld(_ timing: RefreshTiming, after seconds: Duration) -> Bool {
    timing.heldOffError(at: clock.uptime + seconds) != nil
  }

  // failure row 34
  @Test(arguments: [(3_600, 0.0, 3_000.0), (3_600, 0.5, 2_730), (3_600, 0.999, 2_460), (300, 0.5, 172), (40, 0.5, 21)])
  func `the early point lies 15 to 30 percent of a lifetime before the leeway`(
    lifetime: Int, random: Double, early: Double
  ) {
    var timing = RefreshTiming()
    timing.follow(.sample(receivedAt: clock.now, lifetime: .seconds(lifetime)), generation: 1, by: clock) { random }
    let point = (seconds(timing.refreshEarlyAt(canRefresh: true)) ?? .zero) / .seconds(1)
    #expect(abs(point - early) < 1)
  }

  @Test(arguments: [3_600, 300, 12], [0, 0.5, 0.999])
  func `a token that refreshes itself is refreshed in the second half of its lifetime, before callers would wait`(
    lifetime: Int, random: Double
  ) throws {
    var timing = RefreshTiming(policy: .bench(refreshesEarly: true))
    let token = AuthSession.sample(receivedAt: clock.now, lifetime: .seconds(lifetime)).accessToken
    timing.follow(token, canRefresh: true, refreshesItself: true, by: clock) { random }
    let part = try #require(seconds(timing.refreshEarlyAt(canRefresh: true))) / .seconds(lifetime)
    #expect((0.5...0.7).contains(part))
    // A failed refresh in the token's last minute is tried again before its end.
    let left = Duration.seconds(lifetime) / 20
    timing.noteFailure(
      .serverFailed, of: token, at: clock.uptime + .seconds(lifetime) - left, backoff: Backoff { random })
    let next = try #require(
      [timing.refreshEarlyAt(canRefresh: true), timing.refreshAt(canRefresh: true)].compactMap { seconds($0) }.min())
    #expect(next < .seconds(lifetime) && next >= .seconds(lifetime) - left / 2)
  }

  @Test func `nothing is refreshed early where nothing can be refreshed, or it is switched off, or no end is known`() {
    #expect(timing().refreshEarlyAt(canRefresh: false) == nil)
    #expect(timing(early: nil).refreshEarlyAt(canRefresh: true) == nil)
    #expect(timing(lifetime: nil).refreshEarlyAt(canRefresh: true) == nil)
  }

  @Test func `a token keeps its early point however often it is looked at`() {
    var timing = timing(early: 0)
    timing.follow(.sample(receivedAt: clock.now), generation: 1, by: clock) { 1 }
    #expect(seconds(timing.refreshEarlyAt(canRefresh: true)) == .seconds(3_180))
  }

  // failure row 25
  @Test func `callers wait from a minute before the end, not from after it`() {
    #expect(seconds(timing().refreshAt(canRefresh: true)) == .seconds(3_540))
    #expect(seconds(timing().refreshAt(canRefresh: false)) == .seconds(3_600))
  }

  // failure row 34
  @Test(arguments: [(0.0, 3_522.0), (0.5, 3_561), (1, 3_600)])
  func `an early failure is tried again in the last tenth of the time left`(random: Double, retry: Double) {
    var timing = timing()
    fail(&timing, after: .seconds(2_820), random: random)
    let points = [timing.refreshEarlyAt(canRefresh: true), timing.refreshAt(canRefresh: true)]
    #expect(seconds(points.compactMap { $0 }.min()) == .seconds(retry))
  }

  @Test func `a failure in the last minute leaves the token in use to its end`() {
    var timing = timing()
    fail(&timing, after: .seconds(3_541))
    #expect(timing.refreshEarlyAt(canRefresh: true) == nil)
    #expect(seconds(timing.refreshAt(canRefresh: true)) == .seconds(3_600))
    #expect(!isHeld(timing, after: .seconds(3_600)))
  }

  // failure row 34
  @Test func `a provider that asks for time has it early as well, and a part of it more`() {
    var timing = timing()
    fail(&timing, after: .seconds(1_000), retryAfter: .seconds(2_200))
    let point = (seconds(timing.refreshEarlyAt(canRefresh: true)) ?? .zero) / .seconds(1)
    #expect(abs(point - 3_475) < 1)
  }

  // failure row 34
  @Test(arguments: [(0.0, 60.0), (0.5, 52.5), (1, 45)])
  func `those who were told to come back much later may try again spread over the end of the longest refusal`(
    random: Double, hold: Double
  ) {
    var timing = timing()
    fail(&timing, after: .seconds(3_600), retryAfter: .seconds(86_400), random: random)
    #expect(isHeld(timing, after: .seconds(3_600 + hold - 0.001)))
    #expect(!isHeld(timing, after: .seconds(3_600 + hold)))
  }

  // failure row 34
  @Test(arguments: [5, 30, 47, 49, 55, 59, 60, 61, 3_600])
  func `those who were told the same do not come back at one moment`(seconds: Int) {
    let moments = [0.2, 0.4, 0.6, 0.8].map { random in
      var timing = timing()
      fail(&timing, after: .seconds(3_600), retryAfter: .seconds(seconds), random: random)
      return timing.streak?.heldOffUntil
    }
    #expect(Set(moments).count == 4, "\(moments)")
  }

  // failure row 34
  @Test func `once callers wait, the first may try again at once, and the others wait as the outage grows`() {
    var timing = timing()
    fail(&timing, after: .seconds(3_600))
    #expect(!isHeld(timing, after: .seconds(3_600)))
    // At most a quarter of the outage so far, and here half of that: of 1 s, 1 s, 10 s, 25 s, then 20 s.
    for (time, hold) in [(3_600, 0.5), (3_604, 0.5), (3_640, 5), (3_700, 12.5)] {
      fail(&timing, after: .seconds(time))
      #expect(isHeld(timing, after: .seconds(Double(time) + hold - 0.001)))
      #expect(!isHeld(timing, after: .seconds(Double(time) + hold)))
    }
    for time in stride(from: 3_760, through: 10_000, by: 60) { fail(&timing, after: .seconds(time)) }
    #expect(isHeld(timing, after: .seconds(10_000 + 19.999)))
    #expect(!isHeld(timing, after: .seconds(10_000 + 20)))
  }

  // failure row 34
  @Test(arguments: [(0.01, 2.25), (0.5, 10), (0.999, 10)])
  func `failures that do not reach the provider hold callers off for 10 seconds at most`(random: Double, hold: Double) {
    var timing = timing()
    for time in stride(from: 3_600, through: 4_500, by: 20) {
      fail(&timing, after: .seconds(time), by: .unreachable, random: random)
    }
    #expect(isHeld(timing, after: .seconds(4_500 + hold - 0.001)))
    #expect(!isHeld(timing, after: .seconds(4_500 + hold)))
  }

  @Test(arguments: [(10_000, false), (10_001, true)])
  func `a provider that was reached after the last failure may be asked, one that was reached before it not`(
    reachedAt: Int, ends: Bool
  ) {
    var timing = timing()
    for time in stride(from: 3_600, through: 10_000, by: 50) { fail(&timing, after: .seconds(time)) }
    timing.endHoldOff(reachedAt: clock.uptime + .seconds(reachedAt))
    #expect(isHeld(timing, after: .seconds(10_001)) == !ends)
  }

  @Test func `nothing ends the time that the provider itself has asked for`() {
    var timing = timing()
    fail(&timing, after: .seconds(3_600), retryAfter: .seconds(30), random: 0)
    timing.endHoldOff()
    timing.endHoldOff(reachedAt: clock.uptime + .seconds(3_601))
    #expect(isHeld(timing, after: .seconds(3_629)))
    #expect(!isHeld(timing, after: .seconds(3_630)))
  }

  @Test func `a device that was not used for a while does not pay for an old outage`() {
    var timing = timing()
    fail(&timing, after: .seconds(2_820))
    fail(&timing, after: .seconds(36_000))
    #expect(!isHeld(timing, after: .seconds(36_000)))
    fail(&timing, after: .seconds(36_000))
    #expect(!isHeld(timing, after: .seconds(36_001)))
  }

  @Test func `a failure of an older token says nothing about this one`() {
    var timing = timing()
    fail(&timing, after: .seconds(10), lifetime: .seconds(60))
    #expect(seconds(timing.refreshEarlyAt(canRefresh: true)) == .seconds(2_820))
  }
}
