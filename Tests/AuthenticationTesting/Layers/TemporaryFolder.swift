public import Foundation

/// A folder of its own in the system's temporary place, removed with this value.
public final class TemporaryFolder: Sendable {
  /// Where it is; nobody else may enter it (0700).
  public let url: URL

  /// Makes the folder, empty.
  public init() {
    url = FileManager.default.temporaryDirectory.appending(path: "authentication-kit-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
