public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The stored form of a session: for a ``SessionStore`` of your own.
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
/// The form is text with a version, a checksum and tokens in the clear: keep it where secrets may be.
public struct SessionCoder: Sendable {
  /// The version that ``encode(_:)`` writes; those before it stay readable.
  public static let version = StoredRecord.version

  private let realm: String?

  /// A coder for the sessions of one realm (``AuthProviderConfiguration/realm``).
  ///
  /// - Parameter realm: named by what is encoded, and asked of what is decoded; nil neither names nor asks.
  public init(realm: String? = nil) { self.realm = realm }

  /// The record in the newest version.
  public func encode(_ record: SessionRecord) -> Data { StoredRecord.encode(record, realm: realm) }

  /// The record, of whichever version.
  ///
  /// - Throws: ``AuthenticationError/Code/storageCorrupt`` for what is no record, is damaged, or is of a later version, and
  ///   for a record that names another realm: its tokens are another provider's.
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
