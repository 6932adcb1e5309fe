import AuthenticationDomain
import Testing

@testable import AuthenticationData
import Foundation

/// The rules behind `KeychainStorage`, run against a scripted keychain: they hold on every platform.
@Suite struct KeychainStorageTests {
  let keychain = ScriptedKeychain()
  let old = Data("old-canary-secret".utf8)
  let new = Data("new-canary-secret".utf8)

  var storage: KeychainStorage { passwords(accessibility: .afterFirstUnlockThisDeviceOnly) }

  func passwords(
    accessGroup: String? = nil, accessibility: KeychainStorage.Accessibility
  ) -> KeychainStorage {
    KeychainStorage(service: "app", accessGroup: accessGroup, accessibility: accessibility, items: keychain)
  }

  func query(_ account: String) -> Set<KeychainAttribute> {
    [
      .genericPassword, .service("app"), .account(account), .synchronizable(false), .dataProtectionKeychain(true),
    ]
  }

  func content(_ value: Data) -> Set<KeychainAttribute> {
    [.value(value), .accessible(.afterFirstUnlockThisDeviceOnly)]
  }

  var canary: Set<KeychainAttribute> { query("authentication-kit.canary.afterFirstUnlockThisDeviceOnly") }

  func thrown(_ body: () throws(AuthenticationError) -> Void) -> AuthenticationError? {
    do { try body() } catch { return error }
    return nil
  }
}

extension KeychainStorageTests {
  @Test func `a written value is read back, replaced and deleted`() throws {
    try storage.write(old, for: "session")
    #expect(try storage.read("session") == old)
    try storage.write(new, for: "session")
    #expect(try storage.read("session") == new)
    try storage.delete("session")
    #expect(try storage.read("session") == nil)
  }

  @Test func `an item without bytes is empty and not absent`() throws {
    keychain.script(.success)
    #expect(try storage.read("session") == Data())
  }

  @Test func `a value that is there takes one look`() throws {
    try storage.write(old, for: "session")
    keychain.script()
    _ = try storage.read("session")
    #expect(keychain.calls == [.copy(query("session"))])
  }
}

// MARK: - Writing

extension KeychainStorageTests {
  // failure row 8
  @Test func `a value that exists is updated in place`() throws {
    try storage.write(old, for: "session")
    keychain.script()
    try storage.write(new, for: "session")
    #expect(keychain.calls == [.update(query("session"), with: content(new))])
  }

  @Test func `a value is added only after there was nothing to update`() throws {
    try storage.write(new, for: "session")
    #expect(
      keychain.calls == [
        .update(query("session"), with: content(new)), .add(query("session").union(content(new))),
      ])
  }

  @Test func `a value that another process added first is updated`() throws {
    try storage.write(old, for: "session")
    keychain.script(.itemNotFound, .duplicateItem)
    try storage.write(new, for: "session")
    #expect(
      keychain.calls == [
        .update(query("session"), with: content(new)), .add(query("session").union(content(new))),
        .update(query("session"), with: content(new)),
      ])
    #expect(try storage.read("session") == new)
  }

  @Test(arguments: [
    [KeychainStatus.interactionNotAllowed], [.itemNotFound, .interactionNotAllowed],
    [.itemNotFound, .duplicateItem, .itemNotFound], [.duplicateItem, .duplicateItem],
  ])
  func `a write that fails says so and deletes nothing`(answers: [KeychainStatus]) throws {
    try storage.write(old, for: "session")
    keychain.script(answers)
    let error = thrown { () throws(AuthenticationError) in try storage.write(new, for: "session") }
    #expect(error == .storageUnavailable)
    #expect(error?.cause == .init(domain: "OSStatus", code: answers.last.map { Int($0.rawValue) }))
    #expect(keychain.calls.count == answers.count)
    #expect(!keychain.calls.contains(.delete(query("session"))))
    #expect(try storage.read("session") == old)
  }
}

// MARK: - Locked or absent

extension KeychainStorageTests {
  // failure row 1
  @Test func `a locked keychain is unavailable and not absent`() {
    keychain.script(.interactionNotAllowed)
    let error = thrown { () throws(AuthenticationError) in _ = try storage.read("session") }
    #expect(error == .storageUnavailable)
    #expect(error?.cause == .init(domain: "OSStatus", code: -25308))
    #expect(keychain.calls == [.copy(query("session"))])
  }

  // failure row 2
  @Test(arguments: [
    [KeychainStatus.itemNotFound, .itemNotFound, .interactionNotAllowed], [.itemNotFound, .interactionNotAllowed],
    [.itemNotFound, .itemNotFound, KeychainStatus(rawValue: -34018)],
    [.itemNotFound, .itemNotFound, .duplicateItem, .itemNotFound],
  ])
  func `not found is not believed while the canary cannot be reached`(answers: [KeychainStatus]) throws {
    try storage.write(old, for: "session")
    keychain.script(answers)
    #expect(thrown { () throws(AuthenticationError) in _ = try storage.read("session") } == .storageUnavailable)
    #expect(keychain.unusedAnswers.isEmpty)
    #expect(try storage.read("session") == old)
  }

  @Test func `not found is absent once the canary could be added`() throws {
    #expect(try storage.read("session") == nil)
    #expect(
      keychain.calls == [
        .copy(query("session")), .copy(canary), .add(canary.union(content(Data([1])))), .copy(query("session")),
      ])
  }

  @Test func `not found is absent where the canary is found`() throws {
    _ = try storage.read("session")
    keychain.script()
    #expect(try storage.read("session") == nil)
    #expect(keychain.calls == [.copy(query("session")), .copy(canary), .copy(query("session"))])
  }

  @Test func `a canary that another process added first counts`() throws {
    _ = try storage.read("another")
    keychain.script(.itemNotFound, .itemNotFound, .duplicateItem)
    #expect(try storage.read("session") == nil)
  }

  @Test func `a device unlocked between two looks does not lose the session`() throws {
    try storage.write(old, for: "session")
    keychain.script(.itemNotFound)
    #expect(try storage.read("session") == old)
  }
}

// MARK: - Deleting

extension KeychainStorageTests {
  @Test func `deleting nothing is a success`() throws {
    try storage.delete("session")
    #expect(keychain.calls.first == .delete(query("session")))
  }

  @Test func `a locked keychain does not claim to have deleted`() throws {
    try storage.write(old, for: "session")
    for answers in [[KeychainStatus.interactionNotAllowed], [.itemNotFound, .itemNotFound, .interactionNotAllowed]] {
      keychain.script(answers)
      #expect(thrown { () throws(AuthenticationError) in try storage.delete("session") } == .storageUnavailable)
      #expect(keychain.unusedAnswers.isEmpty)
    }
    #expect(try storage.read("session") == old)
  }

  @Test func `a device unlocked while deleting loses the value`() throws {
    try storage.write(old, for: "session")
    keychain.script(.itemNotFound)
    try storage.delete("session")
    #expect(try storage.read("session") == nil)
  }
}

// MARK: - Attributes

extension KeychainStorageTests {
  @Test(arguments: [
    KeychainStorage.Accessibility.afterFirstUnlockThisDeviceOnly, .whenUnlockedThisDeviceOnly,
  ])
  func `items stay on this device, in the access group, and out of iCloud`(
    accessibility: KeychainStorage.Accessibility
  ) throws {
    let storage = passwords(accessGroup: "TEAM.group", accessibility: accessibility)
    let item = query("session").union([.accessGroup("TEAM.group")])
    try storage.write(new, for: "session")
    let content: Set<KeychainAttribute> = [.value(new), .accessible(accessibility)]
    #expect(keychain.calls == [.update(item, with: content), .add(item.union(content))])
    keychain.script()
    try storage.delete("session")
    #expect(keychain.calls == [.delete(item)])
  }

  @Test func `an item written with another accessibility is found, and takes the new one when written`() throws {
    try storage.write(old, for: "session")
    let stricter = passwords(accessibility: .whenUnlockedThisDeviceOnly)
    #expect(try stricter.read("session") == old)
    keychain.script()
    try stricter.write(new, for: "session")
    #expect(
      keychain.calls == [
        .update(query("session"), with: [.value(new), .accessible(.whenUnlockedThisDeviceOnly)])
      ])
  }

  @Test func `each accessibility has a canary of its own`() throws {
    _ = try storage.read("session")
    keychain.script()
    _ = try passwords(accessibility: .whenUnlockedThisDeviceOnly).read("session")
    #expect(keychain.calls.contains(.copy(query("authentication-kit.canary.whenUnlockedThisDeviceOnly"))))
  }

  @Test func `an unsigned program is told how to keep its session`() {
    keychain.script(.missingEntitlement)
    let error = thrown { () throws(AuthenticationError) in try storage.write(new, for: "session") }
    #expect(error == .storageUnavailable)
    #expect(error?.cause == .init(domain: "OSStatus", code: -34018))
    #expect(error?.suggestion?.contains("options.storage = .files(in: folder)") == true)
  }

  @Test(arguments: [KeychainStatus.interactionNotAllowed, .missingEntitlement])
  func `no error quotes a value or a key`(status: KeychainStatus) {
    keychain.script(status)
    let error = thrown { () throws(AuthenticationError) in try storage.write(new, for: "key-canary") }
    var text = ""
    dump(error, to: &text)
    text += String(describing: error)
    #expect(text.contains("OSStatus"))
    #expect(!text.contains("canary"))
  }
}

// rule 38, failure row 41
extension KeychainStorageTests {
  @Test(arguments: [KeychainStorage.Accessibility.afterFirstUnlockThisDeviceOnly, .whenUnlockedThisDeviceOnly])
  func `no item leaves this device by a backup or through iCloud`(accessibility: KeychainStorage.Accessibility) throws {
    try passwords(accessibility: accessibility).write(old, for: "session")
    guard case .add(let item) = keychain.calls.last else {
      Issue.record("nothing was added")
      return
    }
    #expect(item.isSuperset(of: [.synchronizable(false), .dataProtectionKeychain(true), .accessible(accessibility)]))
    #expect(accessibility.rawValue.hasSuffix("ThisDeviceOnly"))
  }
}
