import AuthenticationData
import AuthenticationDomain
import Foundation
import Testing

@Suite struct PrefixedStorageTests {
  private let whole = RecordingStorage()

  @Test func `parts share a storage and see nothing of each other`() throws {
    let (one, two) = (PrefixedStorage(whole, prefix: "one "), PrefixedStorage(whole, prefix: "two "))
    try one.write(Data("1".utf8), for: "key")
    try two.write(Data("2".utf8), for: "key")
    #expect(whole.values == ["one key": Data("1".utf8), "two key": Data("2".utf8)])
    try one.delete("key")
    #expect(try one.read("key") == nil)
    #expect(try two.read("key") == Data("2".utf8))
    #expect(try whole.read("two key") == Data("2".utf8))
  }

  @Test func `a part is the same place for each caller that makes it, and no other`() {
    let part = PrefixedStorage(whole, prefix: "part ").identity
    #expect(part != nil)
    #expect(part == PrefixedStorage(whole, prefix: "part ").identity)
    let others = [whole.identity, PrefixedStorage(whole, prefix: "other ").identity]
    #expect(!others.contains(part))
    #expect(PrefixedStorage(RecordingStorage(), prefix: "part ").identity != part)
  }

  // failure row 1
  @Test func `a failure of the whole storage is not hidden`() throws {
    let part = PrefixedStorage(whole, prefix: "part ")
    whole.failReads()
    whole.failWrites()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try part.read("key") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try part.write(Data(), for: "key") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try part.delete("key") }
  }
}
