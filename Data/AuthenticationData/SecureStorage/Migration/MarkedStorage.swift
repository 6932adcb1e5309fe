package import AuthenticationDomain
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Marks in a folder which keys have a value in another storage; the marks contain no secret.
///
/// So the folder exists whenever a secret does, for the lock files in it, and a storage that cannot be reached is not
/// mistaken for an empty one.
package struct MarkedStorage: SecureStorage {
  private let upstream: any SecureStorage
  private let marks: FileStorage

  package init(_ upstream: any SecureStorage, marks: FileStorage) {
    self.upstream = upstream
    self.marks = marks
  }

  /// Whether the key was written and not deleted since. Throws if the folder cannot be read.
  package func isMarked(_ key: String) throws(AuthenticationError) -> Bool { try marks.read(mark(key)) != nil }

  package var identity: StorageIdentity? { upstream.identity }

  package func read(_ key: String) throws(AuthenticationError) -> Data? {
    let value = try upstream.read(key)
    if value != nil, try !isMarked(key) { try? setMark(key) }
    return value
  }

  package func write(_ value: Data, for key: String) throws(AuthenticationError) {
    if try isMarked(key) { return try upstream.write(value, for: key) }
    try setMark(key)
    do {
      try upstream.write(value, for: key)
    } catch {
      // The person did not unlock the keyring, so nothing was written; reading it would ask the person again.
      if error.code == .userPresenceRequired { try? marks.delete(mark(key)) } else { forgetIfAbsent(key) }
      throw error
    }
  }

  /// The value may have been written although its response came too late.
  private func forgetIfAbsent(_ key: String) {
    do throws(AuthenticationError) {
      if try upstream.read(key) == nil { try marks.delete(mark(key)) }
    } catch {}
  }

  package func delete(_ key: String) throws(AuthenticationError) {
    try upstream.delete(key)
    try marks.delete(mark(key))
  }

  private func setMark(_ key: String) throws(AuthenticationError) {
    try marks.write(Data("kept elsewhere\n".utf8), for: mark(key))
  }

  /// An app's own keys, which may be in the same folder, contain no NUL.
  private func mark(_ key: String) -> String { "\(key)\0elsewhere" }
}
