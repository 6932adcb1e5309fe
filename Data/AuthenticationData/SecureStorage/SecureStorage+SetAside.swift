package import AuthenticationDomain
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension SecureStorage {
  /// Removes the copy that was kept of an unreadable value under this key. Removing a missing copy succeeds.
  package func removeQuarantinedCopy(of key: String) throws(AuthenticationError) {
    try delete(QuarantinedCopy.key(of: key))
  }

  /// Keeps a copy of an unreadable value under a key of its own.
  ///
  /// There is one copy of each key, the latest, and none of a copy.
  ///
  /// - Returns: the key of the copy; nil if it cannot be kept.
  package func setAside(_ data: Data, of key: String, at now: Date = Date()) -> String? {
    if QuarantinedCopy.isKey(key) { return nil }
    let copy = QuarantinedCopy.key(of: key)
    do {
      if try read(copy).flatMap({ QuarantinedCopy(stored: $0) })?.content != data {
        try write(QuarantinedCopy(content: data, madeAt: now).stored, for: copy)
      }
      return copy
    } catch {
      return nil
    }
  }

  /// Removes the copy if it is older than 30 days, or from the future by as much. A copy of unknown age is kept.
  package func removeAgedCopy(of key: String, at now: Date) {
    guard let stored = try? read(QuarantinedCopy.key(of: key)), let copy = QuarantinedCopy(stored: stored),
      abs(now.timeIntervalSince(copy.madeAt)) > QuarantinedCopy.lifetime
    else { return }
    try? removeQuarantinedCopy(of: key)
  }
}

/// An unreadable value, with the time (UTC) at which that was noticed.
struct QuarantinedCopy {
  /// In seconds.
  static let lifetime = 30 * 86_400.0
  private static let heading = Data("AuthenticationKit copy ".utf8)

  let content: Data
  let madeAt: Date

  static func key(of key: String) -> String { "\(key)\(suffix)" }
  static func isKey(_ key: String) -> Bool { key.hasSuffix(suffix) }
  private static let suffix = ".quarantine"

  init(content: Data, madeAt: Date) {
    self.content = content
    self.madeAt = madeAt
  }

  /// Nil if the data is not such a copy.
  init?(stored: Data) {
    guard stored.starts(with: Self.heading),
      let end = stored.firstIndex(of: UInt8(ascii: "\n")),
      let seconds = Double(String(decoding: stored[..<end].dropFirst(Self.heading.count), as: UTF8.self))
    else { return nil }
    content = Data(stored[(end + 1)...])
    madeAt = Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// A heading, the seconds since 2001, and the unchanged content.
  var stored: Data { Self.heading + Data("\(madeAt.timeIntervalSinceReferenceDate)\n".utf8) + content }
}
