import Foundation

/// A source file of the package, for rules that no test of behaviour sees.
struct SourceFile {
  let name: String
  let text: String

  /// The Swift files below a folder, from the top of the package.
  static func all(below folder: String) throws -> [SourceFile] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
    return try (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
      .map { SourceFile(name: $0.lastPathComponent, text: try String(contentsOf: $0, encoding: .utf8)) }
  }
}
