import AuthenticationDomain
import Testing

@Suite struct BackoffTests {
  @Test(arguments: zip([-1, 0, 1, 2, 5, 6, 63, Int.max], [1, 1, 2, 4, 32, 60, 60, 60]))
  func `the ceiling doubles with each attempt and stops at the cap`(attempt: Int, ceiling: Int) {
    let backoff = Backoff(base: .seconds(1), cap: .seconds(60)) { 0.5 }
    #expect(backoff.delay(attempt: attempt) == .seconds(ceiling) / 2)
  }

  @Test func `the jitter is full, from nothing to the ceiling`() {
    #expect(Backoff { 0 }.delay(attempt: 3) == .zero)
    #expect(Backoff { 0.25 }.delay(attempt: 3) == .seconds(2))
  }

  @Test func `unless told otherwise a delay is random, and never longer than five minutes`() {
    let delays = (0..<100).map { Backoff().delay(attempt: $0) }
    #expect(delays.allSatisfy { .zero <= $0 && $0 <= .seconds(300) })
    #expect(Set(delays).count > 50)
    #expect(delays.max() ?? .zero > .seconds(60))
  }
}
