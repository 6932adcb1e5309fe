import AuthenticationTesting
import Foundation

/// Every byte of every file of a folder, held against every token that was ever answered.
package struct SecretScan {
  /// Characters by which a token is known, since a write may have been cut.
  private static let recognised = 16

  /// Files that hold a secret and are not the one that holds the session.
  package let leaks: [String]
  /// Files that a write or a quarantine left behind.
  package let leftovers: [String]
  /// How many secrets the session's own file holds.
  package let secretsInSession: Int

  package init(_ world: World) throws {
    let secrets = Set(world.wire.secrets.map { $0.prefix(Self.recognised) })
    var leaks: [String] = []
    var leftovers: [String] = []
    var secretsInSession = 0
    for name in try FileManager.default.subpathsOfDirectory(atPath: world.folder.url.path) {
      // A client that still runs records its events, and renames the file that it wrote them to.
      guard let contents = try Self.contents(world.folder.url.appending(path: name)) else { continue }
      let count = contents.words.count { secrets.contains($0.prefix(Self.recognised)) }
      let isSession =
        name.hasPrefix("session.") && !name.contains("quarantine") && !name.hasSuffix("pending%20log")
      if isSession { secretsInSession += count } else if count > 0 { leaks.append(name) }
      if name.hasSuffix(".unfinished") || name.contains("quarantine") { leftovers.append(name) }
    }
    self.leaks = leaks
    self.leftovers = leftovers
    self.secretsInSession = secretsInSession
  }

  /// - Returns: `nil` where there is no such file any more.
  private static func contents(_ file: URL) throws -> Data? {
    do { return try Data(contentsOf: file) } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return nil
    }
  }
}

extension Data {
  /// The longest runs of characters that a token may have: a token within a longer run would be no token's own.
  fileprivate var words: [String] {
    let parts = split { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        false
      default: true
      }
    }
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }
}
