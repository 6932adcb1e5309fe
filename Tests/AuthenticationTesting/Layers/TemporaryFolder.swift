package import Foundation

/// A new folder in the system's temporary folder, removed with this value.
package final class TemporaryFolder: Sendable {
  /// Where it is; only its owner may enter it (0700).
  package let url: URL

  /// Makes the folder, empty.
  package init() {
    url = FileManager.default.temporaryDirectory.appending(path: "authentication-kit-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
