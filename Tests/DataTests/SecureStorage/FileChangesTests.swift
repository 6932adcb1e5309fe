import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

@Suite(.timeLimit(.minutes(1))) struct FileChangesTests {
  let home = TemporaryFolder()
  let value = Data("value".utf8)

  @Test func `each write and each removal of a file is told`() async throws {
    let storage = FileStorage(folder: home.url)
    try storage.write(value, for: "session")
    var changes = try #require(storage.changeSignal(for: "session").changes()).makeAsyncIterator()
    try FileStorage(folder: home.url).write(value, for: "session")
    #expect(await changes.next() != nil)
    try storage.delete("session")
    #expect(await changes.next() != nil)
  }

  @Test func `the files of other keys are nobody's business`() async throws {
    let storage = FileStorage(folder: home.url)
    try storage.write(value, for: "another")
    let stream = try #require(storage.changeSignal(for: "session").changes())
    try storage.write(value, for: "another")
    try FileManager.default.removeItem(at: home.url)
    var count = 0
    for await _ in stream { count += 1 }
    #expect(count == 0)
  }

  @Test func `a folder that does not exist yet cannot be followed, and can be once it does`() throws {
    let storage = FileStorage(folder: home.url.appending(path: "later"))
    #expect(storage.changeSignal(for: "session").changes() == nil)
    try storage.write(value, for: "session")
    #expect(storage.changeSignal(for: "session").changes() != nil)
  }

  @Test func `who no longer listens keeps nobody else from hearing`() async throws {
    let storage = FileStorage(folder: home.url)
    try storage.write(value, for: "session")
    var first = storage.changeSignal(for: "session").changes()
    var second = try #require(storage.changeSignal(for: "session").changes()).makeAsyncIterator()
    #expect(first != nil)
    first = nil
    try storage.write(value, for: "session")
    #expect(await second.next() != nil)
  }

  @Test(arguments: [true, false]) func `a signal of its own tells what no file shows`(isWithinProcess: Bool)
    async throws
  {
    try FileStorage(folder: home.url).write(value, for: "any")
    let signal =
      isWithinProcess
      ? ChangeSignal.withinProcess() : .file(".session.changed", in: home.url.path(percentEncoded: false))
    let store = SecureSessionStore(InMemoryStorage()).locked(by: ProcessLock(), telling: signal)
    var changes = try #require(store.changes()).makeAsyncIterator()
    try store.save(SessionRecord(formerUser: .ada))
    #expect(await changes.next() != nil)
    try store.delete()
    #expect(await changes.next() != nil)
  }
}
