#if os(Linux)
import Foundation
import Testing

@Suite struct MutantsTests {
  /// Otherwise it comes out where the mutants are tried, long into a run.
  @Test func `every mutant still fits the library`() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
    let check = Process()
    let output = Pipe()
    check.executableURL = URL(filePath: "/usr/bin/env")
    check.arguments = ["python3", root.appending(path: "Tests/Mutants/run").path, "--check"]
    check.standardOutput = output
    let status = try await withCheckedThrowingContinuation { continuation in
      check.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try check.run() } catch { continuation.resume(throwing: error) }
    }
    let words = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(status == 0, "\(String(decoding: words, as: UTF8.self))")
  }
}
#endif
