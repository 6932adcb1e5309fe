import Foundation
import Testing

@Suite struct PlantedFaultsTests {
  /// Otherwise it comes out where the faults are looked for, half an hour into a run.
  @Test(arguments: ["no-generation-check", "no-journal", "no-read-under-the-lock", "no-single-flight"])
  func `a planted fault still fits the library`(name: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
    let patch = try String(contentsOf: root.appending(path: "Tests/Simulation/planted/\(name).patch"), encoding: .utf8)
    var hunks = 0
    for part in patch.split(separator: "\n--- a/").dropFirst() {
      let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
      let file = try String(contentsOf: root.appending(path: String(lines[0])), encoding: .utf8)
      for hunk in part.split(separator: "\n@@ ").dropFirst() {
        let old = hunk.split(separator: "\n").dropFirst().filter { !$0.hasPrefix("+") }.map { $0.dropFirst() + "\n" }
        #expect(file.split(separator: old.joined()).count == 2, "\(lines[0])")
        hunks += 1
      }
    }
    #expect(hunks > 0)
  }
}
