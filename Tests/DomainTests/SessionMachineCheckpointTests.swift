import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

/// Where another machine may begin, as a replay of recorded events does, and when two machines are equal.
@Suite struct SessionMachineCheckpointTests {
  private let ada = AuthSession.sample(1, receivedAt: .noon)

  /// A machine that was refreshed by a provider whose tokens do not last for two hours.
  private func capped() -> SessionMachine {
    var machine = SessionMachine.restored(ada)
    _ = machine.handle(.refreshRequested(rejected: nil, remaining: .zero, wanted: .seconds(7_200)))
    _ = machine.answerRefresh(.success(.sample(2, receivedAt: .noon)), of: machine.generation)
    _ = machine.handle(.saved)
    return machine
  }

  @Test func `a machine that begins at a checkpoint behaves as the original`() throws {
    var machine = capped()
    var next = SessionMachine(from: try #require(machine.checkpoint))
    #expect(next == machine)
    let event = SessionMachine.Event.refreshRequested(
      rejected: nil, remaining: .seconds(2_000), wanted: .seconds(7_200))
    #expect(next.handle(event) == [.resumeWaiters(nil)])
    #expect(machine.handle(event) == [.resumeWaiters(nil)])
  }

  @Test func `there is no checkpoint while something is in progress or not stored`() {
    for event in [
      .refreshRequested(rejected: nil, remaining: .zero), .accessTokenRefused(ada.accessToken, resource: nil),
      .storeBlocked(.locked), .signOutRequested(revoking: true, at: .noon),
    ] as [SessionMachine.Event] {
      var machine = SessionMachine.restored(ada)
      #expect(machine.checkpoint != nil)
      _ = machine.handle(event)
      #expect(machine.checkpoint == nil, "\(event)")
    }
    #expect(SessionMachine().checkpoint == nil)
  }

  @Test func `the state of an earlier session prevents no checkpoint`() {
    var machine = SessionMachine.restored(ada)
    _ = machine.handle(.accessTokenRefused(ada.accessToken, resource: nil))
    _ = machine.requestRefresh()
    // Its refusal is held, since the store cannot say whether there is a newer session.
    _ = machine.handle(.storeBlocked(.locked))
    _ = machine.answerRefresh(.failure(.sessionRejected), of: machine.generation)
    _ = machine.handle(.storeBlocked(nil))
    _ = machine.handle(.saved)
    #expect(machine.checkpoint == nil)
    _ = machine.requestRefresh()
    // Nor do the identifiers that this event takes.
    let next = SessionRecord(session: .sample(2, receivedAt: .noon), signedInAt: .noon)
    _ = machine.handle(.storeRead(.success(next), at: .noon))
    #expect(!machine.latestIDs.isEmpty)
    #expect(machine.checkpoint != nil)
  }

  @Test func `machines that a later event would tell apart are not equal`() {
    var blocked = SessionMachine.restored(ada)
    _ = blocked.requestRefresh()
    _ = blocked.handle(.storeBlocked(.locked))
    _ = blocked.answerRefresh(.failure(.sessionRejected), of: blocked.generation)
    let changes: [(SessionMachine, SessionMachine.Event)] = [
      (.restored(ada), .signInStarted),
      (.restored(ada), .storeBlocked(.locked)),
      (.restored(ada), .refreshRequested(rejected: nil, remaining: .zero)),
      (.restored(ada), .accessTokenRefused(ada.accessToken, resource: nil)),
      (blocked, .heldRejectionTaken),
    ]
    for (before, event) in changes {
      var machine = before
      #expect(machine == before)
      _ = machine.handle(event)
      #expect(machine != before, "\(event)")
    }
  }
}
