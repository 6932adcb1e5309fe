import AuthenticationDomainTesting
import Foundation
import Testing

@testable import AuthenticationDomain

/// The content of the store as far as a process knows, and the changes that are not saved yet.
@Suite struct StoredCopyTests {
  private let ada = AuthSession.sample(1, receivedAt: .noon)
  private let grace = AuthSession.sample(2, of: .grace, receivedAt: .noon)

  // failure row 1
  @Test func `nothing is written before the store was read`() {
    var machine = SessionMachine()
    #expect(machine.plainly(.tokensOrphaned(ada.tokens, userID: "ada", at: .noon)) == [.deliverRevocations])
    #expect(machine.record.writeID == nil)
  }

  // failure row 9
  @Test func `while the store is blocked nothing is written, and it is tried again`() {
    var machine = SessionMachine.restored()
    _ = machine.handle(.storeBlocked(.locked))
    let effects = machine.signIn(ada)
    #expect(!effects.contains { $0.isSave })
    #expect(effects.contains(.retrySave))
    #expect(machine.state.activeSession?.unsaved == .locked)
    _ = machine.handle(.storeBlocked(nil))
    #expect(machine.handle(.saveRetried).map(\.isSave) == [true])
  }

  @Test func `each failed save counts until one succeeds`() {
    var machine = SessionMachine.restored()
    _ = machine.signIn(ada)
    for count in 1...3 {
      _ = machine.handle(.saveFailed(.full, found: nil))
      #expect(machine.store.failedSaves == count)
    }
    #expect(machine.handle(.saved) == [.publish])
    #expect(machine.store.failedSaves == 0)
  }

  // failure row 1
  @Test func `a sign-in over an unread store, once saved, ends none of another process`() {
    var machine = SessionMachine()
    _ = machine.handle(.storeRead(.failure(.locked), at: .noon))
    _ = machine.signIn(ada)
    _ = machine.handle(.saved)
    _ = machine.requestRefresh()
    _ = machine.handle(.refreshBegan(generation: machine.generation, at: .noon))
    _ = machine.handle(.saveFailed(.full, found: nil))
    // The clock of that process is behind.
    var stored = SessionRecord(session: grace, signedInAt: .noon - 60)
    (stored.writeID, stored.signInID) = (.random(), .random())
    _ = machine.handle(.storeRead(.success(stored), at: .noon))
    #expect(machine.state.user == .grace)
  }
}
