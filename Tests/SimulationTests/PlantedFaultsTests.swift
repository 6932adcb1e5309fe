import Foundation
import Testing

@Suite struct PlantedFaultsTests {
  /// Otherwise it comes out where the faults are looked for, half an hour into a run.
  @Test func `every planted fault still fits the library`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
    let folder = root.appending(path: "Tests/Simulation/planted")
    let patches = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "patch" }
    #expect(patches.count == 4)
    for patch in patches { try expectFit(patch, root) }
  }

  private func expectFit(_ patch: URL, _ root: URL) throws {
    var hunks = 0
    let patch = try String(contentsOf: patch, encoding: .utf8)
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
