import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationData

@Suite struct SecurePendingSignInsTests {
  let storage = InMemoryStorage()
  let pending = PendingSignIn(
    attempt: "a-1", method: "phone-code",
    challenge: Challenge(
      kind: .smsCode, destination: "•••• 42\n", handle: Secret("session info"),
      format: CodeFormat(length: 6...8, alphabet: .lettersAndDigits), lifetime: .seconds(300),
      resendDelay: .seconds(60), attemptsLeft: 3,
      choices: [
        .init(id: "1", kind: .oneTimePassword),
        .init(id: "2", kind: .emailCode, destination: "a•••@example.com", label: "Work"),
      ], passwordRules: ["12 characters", "a digit"], pollInterval: .seconds(5)),
    receivedAt: Date(timeIntervalSince1970: 1_767_225_600.5))

  func store(_ realm: String = "api https://api.example.com") -> some PendingSignInStore {
    storage.pendingSignIns(of: realm)
  }

  @Test func `a pending step is unchanged after a relaunch`() async {
    await store().save(pending)
    #expect(await store().pending() == pending)
  }

  @Test func `a code that can be sent again at once can be sent at once after a relaunch`() async {
    let challenge = Challenge(kind: .emailCode, handle: Secret("h"), resendDelay: .zero)
    await store().save(PendingSignIn(attempt: "a-1", method: "email-code", challenge: challenge, receivedAt: .now))
    #expect(await store().pending()?.challenge.resendDelay == .zero)
  }

  @Test func `a step of another realm is not continued`() async {
    await store().save(pending)
    #expect(await store("api https://other.example.com").pending() == nil)
  }

  @Test func `a step that is damaged, cut or of a later version is not continued`() async throws {
    await store().save(pending)
    let data = try #require(try storage.read("sign-in"))
    for index in data.indices {
      var broken = data
      broken[index] ^= 1
      try storage.write(broken, for: "sign-in")
      #expect(await store().pending() == nil)
      try storage.write(data[..<index], for: "sign-in")
      #expect(await store().pending() == nil)
    }
  }

  @Test(arguments: [
    Challenge(kind: .enrolment, handle: Secret("h"), enrolment: .init(secret: Secret("JBSWY3DP"))),
    Challenge(kind: .passkey, handle: Secret("h"), passkeyRequest: Secret("{}")),
  ])
  func `a step with a secret of its own is not kept, and neither is the one before it`(_ challenge: Challenge) async {
    await store().save(pending)
    await store().save(PendingSignIn(attempt: "a-1", method: "passkey", challenge: challenge, receivedAt: .now))
    #expect(await store().pending() == nil)
  }

  @Test func `only its own attempt removes a step`() async {
    await store().save(pending)
    await store().remove("a-2")
    #expect(await store().pending() == pending)
    await store().remove("a-1")
    #expect(await store().pending() == nil)
  }

  @Test func `a step that a locked storage keeps is not continued, and is removed once it opens`() async throws {
    let storage = StubbornStorage()
    let store = SecurePendingSignIns(storage, realm: "api")
    await store.save(pending)
    storage.isLocked.withLock { $0 = true }
    await store.removeAll()
    #expect(await store.pending() == nil)
    storage.isLocked.withLock { $0 = false }
    #expect(await store.pending() == nil)
    #expect(try storage.read("sign-in") == nil)
    await store.save(pending)
    #expect(await store.pending() == pending)
  }
}

/// Refuses to delete while it is locked.
private final class StubbornStorage: SecureStorage {
  let upstream = InMemoryStorage()
  let isLocked = Mutex(false)

  func read(_ key: String) throws(AuthenticationError) -> Data? { try upstream.read(key) }
  func write(_ value: Data, for key: String) throws(AuthenticationError) { try upstream.write(value, for: key) }
  func delete(_ key: String) throws(AuthenticationError) {
    if isLocked.withLock({ $0 }) { throw AuthenticationError(.storageUnavailable, "Locked.") }
    try upstream.delete(key)
  }
}
