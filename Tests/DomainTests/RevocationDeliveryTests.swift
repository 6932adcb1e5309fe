import AuthenticationDomainTesting
import Synchronization
import Testing

@testable import AuthenticationDomain

/// One delivery at a time, and its report on the sessions of other devices.
@Suite struct RevocationDeliveryTests {
  private let provider = FailingProvider()
  private let delivery: RevocationDelivery

  init() {
    delivery = RevocationDelivery(provider: provider, limit: .seconds(10), clock: ManualClock(), executor: nil)
  }

  /// Delivers nothing but the sessions of other devices.
  private func start() {
    delivery.start {
      .init { [delivery] _, failures in
        if let other = delivery.takeOther() { return other }
        delivery.end(failures)
        return nil
      } send: { _ in
      } orphaned: { _ in
      }
    }
  }

  @Test func `others that could not be ended are told by each delivery until the next sign-in or sign-out`() async {
    delivery.endOthers(than: .sample(1, receivedAt: .noon))
    start()
    #expect(await delivery.result() == [.otherSessionsRemain])
    start()
    #expect(await delivery.result() == [.otherSessionsRemain])
    delivery.beginRound()
    #expect(await delivery.result() == [])
  }

  @Test func `a failure of an earlier sign-out says nothing of the latest one`() async {
    delivery.endOthers(than: .sample(1, receivedAt: .noon))
    provider.meanwhile { [delivery] in delivery.beginRound() }
    start()
    #expect(await delivery.result() == [])
  }

  @Test func `a delivery that is in progress is the only one, and another one begins after it`() async {
    let others = Mutex(0)
    let startAnother: @Sendable () -> Void = { [delivery] in
      delivery.start {
        .init { _, failures in
          others.withLock { $0 += 1 }
          delivery.end(failures)
          return nil
        } send: { _ in
        } orphaned: { _ in
        }
      }
    }
    delivery.endOthers(than: .sample(1, receivedAt: .noon))
    provider.meanwhile(startAnother)
    start()
    _ = await delivery.result()
    #expect(others.withLock { $0 } == 0)
    startAnother()
    _ = await delivery.result()
    #expect(others.withLock { $0 } == 1)
  }
}

/// Ends no session of another device.
private final class FailingProvider: RemoteAuthProvider {
  private let work = Mutex<@Sendable () -> Void>({})

  /// Runs this before each failure.
  func meanwhile(_ body: @escaping @Sendable () -> Void) { work.withLock { $0 = body } }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome { throw .unreachable }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens { throw .unreachable }

  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {}

  func endSessions(otherThan session: AuthSession) async throws(AuthenticationError) {
    work.withLock { $0 }()
    throw .unreachable
  }
}
