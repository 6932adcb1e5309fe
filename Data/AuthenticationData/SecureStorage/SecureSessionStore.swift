public import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps a ``SessionRecord`` in secure storage, in a versioned envelope.
///
/// What cannot be read is reported as ``AuthenticationError/Code/storageCorrupt`` and left where it is, with a copy
/// under a key of its own, which a later sign-in does not overwrite; where no copy can be made the error says so.
public struct SecureSessionStore: SessionStore {
  private let storage: any SecureStorage
  private let key: String

  /// Keeps the session in this storage, under one key.
  ///
  /// - Parameter key: one per account: two sessions under two keys know nothing of each other.
  public init(_ storage: any SecureStorage, key: String = "session") {
    self.storage = storage
    self.key = key
  }

  public func read() throws(AuthenticationError) -> SessionRecord? {
    guard let data = try storage.read(key) else { return nil }
    if let record = StoredRecord.decode(data) { return record }
    throw .corrupt(key, copy: storage.setAside(data, of: key))
  }

  public func save(_ record: SessionRecord) throws(AuthenticationError) {
    try storage.write(StoredRecord.encode(record), for: key)
  }

  public func delete() throws(AuthenticationError) {
    try storage.delete(key)
  }
}

extension AuthenticationError {
  fileprivate static func corrupt(_ key: String, copy: String?) -> Self {
    Self(
      .storageCorrupt, "What is stored under '\(key)' is not a session this version can read; it was left as it is.",
      suggestion: copy.map { "Signing in replaces it; a copy stays under '\($0)'." }
        ?? "No copy could be made: signing in replaces it.")
  }
}
