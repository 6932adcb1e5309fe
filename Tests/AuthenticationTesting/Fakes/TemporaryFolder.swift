public import Foundation

/// A folder of its own in the system's temporary place, removed with this value.
public final class TemporaryFolder: Sendable {
  public let url: URL

  public init() {
    url = FileManager.default.temporaryDirectory.appending(path: "authentication-kit-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
