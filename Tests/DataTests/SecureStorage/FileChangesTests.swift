import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

@Suite(.timeLimit(.minutes(10))) struct FileChangesTests {
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

  @Test func `a file that is written where it is is told, too`() async throws {
    let storage = FileStorage(folder: home.url)
    try storage.write(value, for: "session")
    var changes = try #require(storage.changeSignal(for: "session").changes()).makeAsyncIterator()
    let handle = try FileHandle(forWritingTo: home.url.appending(path: "session"))
    try handle.write(contentsOf: value)
    try handle.close()
    #expect(await changes.next() != nil)
  }

  @Test func `the files of other keys notify no one but their own readers`() async throws {
    let storage = FileStorage(folder: home.url)
    try storage.write(value, for: "another")
    let stream = try #require(storage.changeSignal(for: "session").changes())
    var last = try #require(storage.changeSignal(for: "last").changes()).makeAsyncIterator()
    try storage.write(value, for: "another")
    try storage.delete("another")
    // Changes are told in their order.
    try storage.write(value, for: "last")
    #expect(await last.next() != nil)
    #expect(await Self.told(stream) == 0)
  }

  /// How many changes were sent and not received yet, of which one is kept; ends the stream.
  static func told(_ stream: AsyncStream<Void>) async -> Int {
    await Task {
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      return await stream.reduce(0) { count, _ in count + 1 }
    }.value
  }

  @Test(arguments: ["later", "later/and/deeper", "session/session"])
  func `a folder that does not exist yet is followed from when another process makes it`(name: String) async throws {
    let storage = FileStorage(folder: home.url.appending(path: name))
    var changes = try #require(storage.changeSignal(for: "session").changes()).makeAsyncIterator()
    try FileStorage(folder: storage.folder).write(value, for: "session")
    #expect(await changes.next() != nil)
    // Made for sure, and perhaps already told.
    try storage.delete("session")
    while try storage.read("session") != nil { #expect(await changes.next() != nil) }
  }

  @Test func `a file in the folder's place cannot be followed, and ends an earlier stream`() async throws {
    let folder = home.url.appending(path: "later")
    let stream = try #require(FileStorage(folder: folder).changeSignal(for: "session").changes())
    try value.write(to: folder)
    for await _ in stream {}
    #expect(FileStorage(folder: folder).changeSignal(for: "session").changes() == nil)
  }

  @Test func `a folder is followed by a path from the working folder, too`() {
    #expect(ChangeSignal.file("changed", in: "missing-\(UUID().uuidString)/deeper/").changes() != nil)
  }

  @Test func `a listener that ended keeps no other from hearing`() async throws {
    let storage = FileStorage(folder: home.url)
    try storage.write(value, for: "session")
    var first = storage.changeSignal(for: "session").changes()
    var second = try #require(storage.changeSignal(for: "session").changes()).makeAsyncIterator()
    #expect(first != nil)
    first = nil
    try storage.write(value, for: "session")
    #expect(await second.next() != nil)
  }

  @Test(arguments: [true, false]) func `a separate signal tells of changes that no file shows`(isWithinProcess: Bool)
    async throws
  {
    try FileStorage(folder: home.url).write(value, for: "any")
    let signal =
      isWithinProcess
      ? ChangeSignal.withinProcess() : .file(".session.changed", in: home.url.path(percentEncoded: false))
    let store = InMemoryStorage().sessionStore().locked(by: ProcessLock(), telling: signal)
    var changes = try #require(store.changes()).makeAsyncIterator()
    try store.save(SessionRecord(formerUser: .ada))
    #expect(await changes.next() != nil)
    try store.delete()
    #expect(await changes.next() != nil)
  }
}

#if os(Linux)
extension FileChangesTests {
  @Test func `an overflow of the system's event queue notifies every stream`() async throws {
    let changes = FileChanges()
    let folder = home.url.path(percentEncoded: false)
    var here = try #require(changes.changes(of: "session", in: folder)).makeAsyncIterator()
    var later = try #require(changes.changes(of: "session", in: folder + "/later")).makeAsyncIterator()
    changes.notify(InotifyEvent(number: -1, mask: UInt32(IN_Q_OVERFLOW), name: ""))
    #expect(await here.next() != nil)
    #expect(await later.next() != nil)
  }

  /// How many folders the kernel watches.
  private func count(_ changes: FileChanges) throws -> Int {
    let information = try String(contentsOfFile: "/proc/self/fdinfo/\(changes.descriptor)", encoding: .utf8)
    return information.split(separator: "\n").count { $0.hasPrefix("inotify wd:") }
  }

  @Test func `only the folders that lead to a followed file are watched`() async throws {
    let changes = FileChanges()
    let folder = home.url.appending(path: "later").path(percentEncoded: false)
    var stream = changes.changes(of: "session", in: folder)
    #expect(try count(changes) == 1)
    try FileStorage(folder: URL(filePath: folder)).write(value, for: "session")
    var iterator = stream?.makeAsyncIterator()
    #expect(await iterator?.next() != nil)
    #expect(try count(changes) == 1)
    (stream, iterator) = (nil, nil)
    #expect(try count(changes) == 0)
  }

  @Test func `a folder that is made at the very moment it is looked for is followed`() async throws {
    for number in 1...200 {
      let storage = FileStorage(folder: home.url.appending(path: "\(number)/deeper"))
      let made = Task.detached { try storage.write(value, for: "session") }
      let stream = storage.changeSignal(for: "session").changes()
      try await made.value
      var changes = try #require(stream).makeAsyncIterator()
      try storage.delete("session")
      #expect(await changes.next() != nil)
    }
  }
}
#endif
