import AuthenticationDomainTesting
import Synchronization
import Testing

@testable import AuthenticationDomain

/// One delivery at a time, and what it says of the sessions of other devices.
@Suite struct RevocationDeliveryTests {
  let delivery = RevocationDelivery(executor: nil)

  /// Delivers what is queued to a provider that fails.
  private func fail(meanwhile: @escaping @Sendable () -> Void = {}) {
    delivery.start { [delivery] _, failures in
      if let other = delivery.takeOther() { return other }
      delivery.end(failures)
      return nil
    } deliver: { _ throws(AuthenticationError) in
      meanwhile()
      throw .unreachable
    }
  }

  @Test func `others that could not be ended are told by each delivery until the next sign-in or sign-out`() async {
    delivery.endOthers(than: .sample(1, receivedAt: .noon))
    fail()
    #expect(await delivery.result() == [.otherSessionsRemain])
    fail()
    #expect(await delivery.result() == [.otherSessionsRemain])
    delivery.beginRound()
    #expect(await delivery.result() == [])
  }

  @Test func `a failure of an earlier sign-out says nothing of the latest one`() async {
    delivery.endOthers(than: .sample(1, receivedAt: .noon))
    fail { [delivery] in delivery.beginRound() }
    #expect(await delivery.result() == [])
  }

  @Test func `a delivery that is in progress is the only one, and another one begins after it`() async {
    let others = Mutex(0)
    let startAnother: @Sendable () -> Void = { [delivery] in
      delivery.start { _, failures in
        others.withLock { $0 += 1 }
        delivery.end(failures)
        return nil
      } deliver: { _ in
      }
    }
    delivery.endOthers(than: .sample(1, receivedAt: .noon))
    fail(meanwhile: startAnother)
    _ = await delivery.result()
    #expect(others.withLock { $0 } == 0)
    startAnother()
    _ = await delivery.result()
    #expect(others.withLock { $0 } == 1)
  }
}
