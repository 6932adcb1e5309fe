package import AuthenticationDomain
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Remembers in a folder what is kept elsewhere: by the name of each key, and nothing secret.
///
/// So the folder exists wherever a secret does, for the locks in it, and a storage that cannot be reached is not taken
/// for an empty one.
package struct MarkedStorage: SecureStorage {
  private let upstream: any SecureStorage
  private let marks: FileStorage

  package init(_ upstream: any SecureStorage, marks: FileStorage) {
    self.upstream = upstream
    self.marks = marks
  }

  /// Whether the key was written and not deleted since. Throws where the folder cannot be read.
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
      // A keyring that the person did not unlock was not written to; to read it would ask once more.
      if error.code == .userPresenceRequired { try? marks.delete(mark(key)) } else { forgetIfAbsent(key) }
      throw error
    }
  }

  /// An answer that came too late may still have written it.
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

  /// No key of an app's own, which may be in the same folder, has a NUL.
  private func mark(_ key: String) -> String { "\(key)\0elsewhere" }
}
