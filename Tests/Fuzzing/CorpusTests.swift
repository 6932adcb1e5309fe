import Foundation
import Testing

/// The kept inputs are checked again at every test run, without a fuzzer. // failure row 7
@Suite struct CorpusTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

  private static func inputs(_ name: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: name), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
  }

  /// On a stack of 512 KiB, as the threads of Apple's dispatch have it: a parser must not call itself without a bound.
  @Test(arguments: FuzzTarget.all) func `the properties of each target hold for every input of its corpus`(
    target: FuzzTarget
  ) async throws {
    let inputs = try Self.inputs(target.name)
    #expect(inputs.count >= 3)
    for input in inputs {
      let bytes = try [UInt8](Data(contentsOf: input))
      let result = await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<Void, any Error>, Never>) in
        let thread = Thread { continuation.resume(returning: Result { try target.check(bytes) }) }
        thread.stackSize = 512 << 10
        thread.start()
      }
      #expect(throws: Never.self, "\(input.lastPathComponent)") { try result.get() }
    }
  }

  @Test func `there is no input without a target`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(folders) == Set((FuzzTarget.all + FuzzTarget.faulty).map(\.name)))
  }

  @Test func `an error that repeats its input is a finding`() throws {
    let target = try #require(FuzzTarget.faulty.first { $0.name == "faulty-words" })
    #expect(throws: Finding.self) { try target.check(Array("error=c4nary".utf8)) }
    #expect(throws: Never.self) { try target.check(Array("error=".utf8)) }
  }
}
