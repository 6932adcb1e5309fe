import AuthenticationDomain
import Testing

@testable import AuthenticationData
import Foundation

/// Items that the user must unlock (rule 39).
@Suite struct KeychainGateTests {
  typealias Gate = KeychainStorage.LocalAuthentication

  static let gates = [Gate.userPresence, .currentBiometry]

  let keychain = ScriptedKeychain()
  let old = Data("old-canary-secret".utf8)
  let new = Data("new-canary-secret".utf8)

  func storage(_ gate: Gate?) -> KeychainStorage {
    KeychainStorage(
      service: "app", accessGroup: nil, accessibility: .whenUnlockedThisDeviceOnly, localAuthentication: gate,
      items: keychain)
  }

  func query(_ account: String) -> Set<KeychainAttribute> {
    [
      .genericPassword, .service("app"), .account(account), .synchronizable(false), .dataProtectionKeychain(true),
    ]
  }

  func content(_ value: Data, behind gate: Gate) -> Set<KeychainAttribute> {
    [.value(value), .accessControl(.whenUnlockedThisDeviceOnly, gate)]
  }

  func thrown(_ body: () throws(AuthenticationError) -> Void) -> AuthenticationError? {
    do { try body() } catch { return error }
    return nil
  }
}

extension KeychainGateTests {
  @Test(arguments: gates)
  func `a face, a finger or a passcode is asked for by the item itself, and not by the app`(gate: Gate) throws {
    try storage(gate).write(old, for: "session")
    #expect(keychain.calls.last == .add(query("session").union(content(old, behind: gate))))
  }

  @Test(arguments: gates) func `an item written without a gate has it from the next write on`(gate: Gate) throws {
    try storage(nil).write(old, for: "session")
    keychain.script()
    try storage(gate).write(new, for: "session")
    #expect(keychain.calls == [.update(query("session"), with: content(new, behind: gate))])
  }

  @Test(arguments: gates) func `looking whether the keychain is open asks the user for nothing`(gate: Gate) throws {
    #expect(try storage(gate).read("session") == nil)
    let canary = query("authentication-kit.canary.whenUnlockedThisDeviceOnly")
    #expect(keychain.calls.contains(.add(canary.union([.value(Data([1])), .accessible(.whenUnlockedThisDeviceOnly)]))))
  }

  @Test(arguments: gates, [KeychainStatus.userCanceled, .authFailed])
  func `a user who does not unlock the item keeps the session`(gate: Gate, status: KeychainStatus) throws {
    try storage(gate).write(old, for: "session")
    keychain.script(status)
    let reading = thrown { () throws(AuthenticationError) in _ = try storage(gate).read("session") }
    keychain.script(status)
    let writing = thrown { () throws(AuthenticationError) in try storage(gate).write(new, for: "session") }
    for error in [reading, writing] {
      #expect(error == .userPresenceRequired)
      #expect(error?.message == "The user did not unlock the item.")
    }
    #expect(try storage(gate).read("session") == old)
  }

  @Test(arguments: gates, [[KeychainStatus.invalidParameter], [.itemNotFound, .invalidParameter]])
  func `where the system makes no gate, nothing is stored without it`(gate: Gate, answers: [KeychainStatus]) throws {
    try storage(nil).write(old, for: "session")
    keychain.script(answers)
    let error = thrown { () throws(AuthenticationError) in try storage(gate).write(new, for: "session") }
    #expect(error == .storageUnavailable)
    #expect(error?.cause == .init(domain: "OSStatus", code: -50))
    #expect(error?.message.hasSuffix("nothing was changed.") == true)
    #expect(keychain.calls.count == answers.count)
    #expect(try storage(gate).read("session") == old)
  }
}
