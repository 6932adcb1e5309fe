public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The stored format of a session, for a ``SessionStore`` of your own.
///
/// ```swift
/// struct VaultStore: SessionStore {
///   let coder = SessionCoder(realm: "https://id.example.com app")
///   func read() throws(AuthenticationError) -> SessionRecord? {
///     guard let data = try vault.read() else { return nil }
///     return try coder.decode(data)
///   }
///   func save(_ record: SessionRecord) throws(AuthenticationError) { try vault.write(coder.encode(record)) }
///   func delete() throws(AuthenticationError) { try vault.erase() }
/// }
/// ```
///
/// The format is text with a version, a checksum and tokens in clear text: keep it only where secrets may be stored.
public struct SessionCoder: Sendable {
  /// The version that ``encode(_:)`` writes; earlier ones stay readable.
  public static let version = StoredRecord.version

  private let realm: String?

  /// Creates a coder for the sessions of one realm (``AuthProviderConfiguration/realm``).
  ///
  /// - Parameter realm: written to each encoded record, and required of each decoded one; nil does neither.
  public init(realm: String? = nil) { self.realm = realm }

  /// Encodes the record in the newest version.
  public func encode(_ record: SessionRecord) -> Data { StoredRecord.encode(record, realm: realm) }

  /// Decodes a record of any version up to the newest.
  ///
  /// - Throws: ``AuthenticationError/Code/storageCorrupt`` if the data is not a record, is damaged, or has a later
  ///   version, and if the record names another realm: its tokens are another provider's.
  public func decode(_ data: Data) throws(AuthenticationError) -> SessionRecord {
    guard let stored = StoredRecord.decode(data) else { throw .unreadableRecord }
    if let realm, let named = stored.realm, !named.utf8.elementsEqual(realm.utf8) { throw .foreignRecord }
    return stored.record
  }
}

extension AuthenticationError {
  fileprivate static let unreadableRecord = Self(
    .storageCorrupt, "This is not a session that this version can read.",
    suggestion: "Leave it as it is; signing in replaces it.")
  fileprivate static let foreignRecord = Self(
    .storageCorrupt, "This is a session of another realm, whose tokens are for another provider.",
    suggestion: "Check that no two realms share a key; leave it as it is, since signing in replaces it.")
}
