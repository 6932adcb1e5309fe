import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// A power cut leaves only the writes that were brought to the disk, in their order.
@Suite struct FileStorageSyncTests {
  let home = TemporaryFolder()
  let synced = Log()

  /// Notes each sync, and the content of the folder at that moment.
  var storage: FileStorage {
    FileStorage(folder: home.url) { [home, synced] descriptor in
      synced.append("\(home.name(of: descriptor)) while there is \(home.texts)")
      return fsync(descriptor)
    }
  }

  @Test func `a write reaches the disk before it returns: the file, then the folder that names it`() throws {
    try storage.write(Data("old".utf8), for: "session")
    try storage.write(Data("new".utf8), for: "session")
    #expect(
      synced.lines == [
        ".session.unfinished while there is .session.unfinished: old",
        "the folder while there is session: old",
        ".session.unfinished while there is .session.unfinished: new, session: old",
        "the folder while there is session: new",
      ])
  }

  @Test func `a deletion reaches the disk before it returns, and no other call waits for a disk`() throws {
    try FileStorage(folder: home.url).write(Data("old".utf8), for: "session")
    _ = try storage.read("session")
    try storage.delete("session")
    try storage.delete("session")
    #expect(synced.lines == ["the folder while there is nothing"])
  }

  @Test(arguments: [EIO, ENOSPC, EDQUOT, EBADF])
  func `a value that did not reach the disk does not replace the stored one`(number: Int32) throws {
    try storage.write(Data("old".utf8), for: "session")
    let error = #expect(throws: AuthenticationError.self) {
      try failing(number, at: ".session.unfinished").write(Data("new".utf8), for: "session")
    }
    #expect(error == .storageUnavailable)
    #expect(error?.cause == .init(domain: "errno", code: Int(number)))
    #expect(home.texts == "session: old")
  }

  @Test(arguments: [EIO, ENOSPC, EDQUOT, EBADF])
  func `a write and a deletion whose folder did not reach the disk are no successes`(number: Int32) throws {
    let storage = failing(number, at: "the folder")
    let codes = [
      #expect(throws: AuthenticationError.self) { try storage.write(Data("new".utf8), for: "session") }?.cause,
      #expect(throws: AuthenticationError.self) { try storage.delete("session") }?.cause,
    ]
    #expect(codes == Array(repeating: .init(domain: "errno", code: Int(number)), count: 2))
  }

  @Test(arguments: [EINVAL, ENOTSUP, EOPNOTSUPP, ENOSYS], ["the folder", ".session.unfinished"])
  func `a file system that cannot bring a folder or a file to the disk stores and deletes all the same`(
    number: Int32, place: String
  ) throws {
    let storage = failing(number, at: place)
    try storage.write(Data("old".utf8), for: "session")
    try storage.write(Data("new".utf8), for: "session")
    #expect(home.texts == "session: new")
    try storage.delete("session")
    #expect(home.texts == "nothing")
  }

  private func failing(_ number: Int32, at place: String) -> FileStorage {
    FileStorage(folder: home.url) { [home] descriptor in
      guard home.name(of: descriptor) == place else { return fsync(descriptor) }
      errno = number
      return -1
    }
  }
}

extension TemporaryFolder {
  /// Which of the folder's files is open under a descriptor.
  fileprivate func name(of descriptor: Int32) -> String {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return "nothing that is open" }
    let number = Int(status.st_ino)
    if number == self.number(of: "") { return "the folder" }
    return names(in: "").first { self.number(of: $0) == number } ?? "a file of no name"
  }

  private func number(of name: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.appending(path: name).path)
    return (attributes?[.systemFileNumber] as? NSNumber)?.intValue
  }

  /// The content of the files, without the locks, which are empty.
  fileprivate var texts: String {
    let texts = names(in: "").sorted().compactMap { name -> String? in
      guard let data = try? Data(contentsOf: url.appending(path: name)), !data.isEmpty else { return nil }
      return "\(name): \(String(decoding: data, as: UTF8.self))"
    }
    return texts.isEmpty ? "nothing" : texts.joined(separator: ", ")
  }
}
