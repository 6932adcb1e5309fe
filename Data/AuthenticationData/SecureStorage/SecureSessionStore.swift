public import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Stores a ``SessionRecord`` in secure storage, in the format of a ``SessionCoder``.
///
/// A record that cannot be read is reported as ``AuthenticationError/Code/storageCorrupt`` and left in place, with a
/// copy under a key of its own; if no copy can be made, the error says so. The copy is removed by the next sign-in or
/// sign-out, by ``removeQuarantinedCopies()``, or at a write 30 days later.
///
/// ```swift
/// let store = SecureSessionStore(FileStorage(folder: folder), realm: "https://id.example.com app")
/// let manager = AuthManager(provider: provider, store: store)
/// ```
public struct SecureSessionStore: SessionStore {
  private let storage: any SecureStorage
  private let key: String
  private let coder: SessionCoder
  private let clock: any AuthenticationClock

  /// Stores the session in this storage, under one key.
  ///
  /// - Parameters:
  ///   - storage: where the session is kept.
  ///   - key: one per account; sessions under two keys are independent of each other.
  ///   - realm: whose tokens these are; a record of another realm is not read.
  ///   - clock: the time; replace it in a test.
  public init(
    _ storage: any SecureStorage, key: String = "session", realm: String? = nil,
    clock: any AuthenticationClock = SystemClock()
  ) {
    self.storage = storage
    self.key = key
    self.clock = clock
    coder = SessionCoder(realm: realm)
  }

  public func read() throws(AuthenticationError) -> SessionRecord? {
    guard let data = try storage.read(key) else { return nil }
    do throws(AuthenticationError) { return try coder.decode(data) } catch {
      throw .corrupt(key, because: error, copy: storage.setAside(data, of: key, at: clock.now))
    }
  }

  public func save(_ record: SessionRecord) throws(AuthenticationError) {
    try storage.write(coder.encode(record), for: key)
    storage.removeAgedCopy(of: key, at: clock.now)
  }

  public func delete() throws(AuthenticationError) {
    try storage.delete(key)
  }

  public func removeQuarantinedCopies() throws(AuthenticationError) { try storage.removeQuarantinedCopy(of: key) }
}

extension AuthenticationError {
  fileprivate static func corrupt(_ key: String, because reason: Self, copy: String?) -> Self {
    Self(
      .storageCorrupt, "What is stored under '\(key)' cannot be used, and was left as it is. \(reason.message)",
      suggestion: copy.map { "Signing in replaces it; until then a copy stays under '\($0)'." }
        ?? "No copy could be made: signing in replaces it.")
  }
}
