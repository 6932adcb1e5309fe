import Foundation

/// A folder of one test, removed with it.
final class TemporaryFolder: Sendable {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appending(path: "authentication-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func mode(of path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.appending(path: path).path)
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue
  }

  /// The names of all files, hidden ones too.
  func names(in path: String) -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: url.appending(path: path).path)) ?? [])
  }
}
