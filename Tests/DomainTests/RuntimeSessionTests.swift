import AuthenticationDomainTesting
import Testing

@testable import AuthenticationDomain

/// What every request reads, behind its lock.
@Suite struct RuntimeSessionTests {
  let runtime = RuntimeSession()
  let session = AuthSession.sample(receivedAt: .noon)

  private func publish(_ times: RuntimeSession.Times) {
    runtime.publish(.using(session), usable: session, times: times)
  }

  private func starts(at uptime: Duration, asks: Int = 100) -> Int {
    var starts = 0
    for _ in 0..<asks { #expect(runtime.session(at: uptime, renewEarly: { starts += 1 }) == session) }
    return starts
  }

  @Test func `of all who ask after the early point one starts the renewal, and all have the token at once`() {
    publish(.init(renewEarlyAt: .seconds(10), renewAt: .seconds(20)))
    #expect(starts(at: .milliseconds(9_999)) == 0)
    #expect(starts(at: .seconds(10)) == 1)
    #expect(starts(at: .seconds(15)) == 0)
    publish(.init(renewEarlyAt: .seconds(17), renewAt: .seconds(20)))
    #expect(starts(at: .seconds(17)) == 1)
  }

  @Test func `whoever has to wait anyway starts nothing in the background`() {
    publish(.init(renewEarlyAt: .seconds(10), renewAt: .seconds(20)))
    #expect(runtime.session(at: .seconds(20), renewEarly: { Issue.record("Two renewals for one token.") }) == nil)
  }
}
