import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored shape of a ``SessionRecord``, version 1: flat, since a nested shape doubles the time of a launch.
///
/// A change of shape is a new version; every released one stays readable. Dates are seconds since 2001 (UTC).
struct StoredRecord: Codable {
  static let currentVersion = 1

  var version = Self.currentVersion
  var userID: String?
  var userName: String?
  var email: String?
  var isNewUser: Bool?
  var tokens: StoredTokens?
  var pendingRevocations: [StoredRevocation]?

  init(_ record: SessionRecord) {
    if let session = record.session {
      userID = session.user.id
      userName = session.user.name
      email = session.user.email
      isNewUser = session.user.isNew
      tokens = StoredTokens(session.tokens)
    }
    if !record.pendingRevocations.isEmpty {
      pendingRevocations = record.pendingRevocations.map {
        StoredRevocation(tokens: StoredTokens($0.tokens), queuedAt: $0.queuedAt)
      }
    }
  }

  func encoded() throws(AuthenticationError) -> Data {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(self)
    } catch {
      throw AuthenticationError(.storageUnavailable, "The session cannot be encoded for storage.")
    }
  }

  /// Nil where the data is not a record of a version known here.
  static func decode(_ data: Data) -> SessionRecord? {
    guard let stored = try? JSONDecoder().decode(StoredRecord.self, from: data),
      stored.version == currentVersion
    else { return nil }
    return try? stored.record()
  }

  private func record() throws -> SessionRecord {
    var record = SessionRecord()
    switch (userID, tokens) {
    case (let id?, let tokens?):
      let user = User(id: id, name: userName, email: email, isNew: isNewUser ?? false)
      record.session = AuthSession(user: user, tokens: try tokens.tokens())
    case (nil, nil):
      break
    default:
      throw AuthenticationError(.storageCorrupt, "A stored session is incomplete.")
    }
    record.pendingRevocations = try (pendingRevocations ?? []).map {
      PendingRevocation(tokens: try $0.tokens.tokens(), queuedAt: $0.queuedAt)
    }
    return record
  }
}

struct StoredRevocation: Codable {
  var tokens: StoredTokens
  var queuedAt: Date
}

struct StoredTokens: Codable {
  var access: String
  var type: String
  var receivedAt: Date
  var lifetime: Int64?
  var scopes: [String]?
  var refresh: String?
  var identity: String?

  init(_ tokens: SessionTokens) {
    access = tokens.access.value.reveal()
    type = tokens.access.type
    receivedAt = tokens.access.receivedAt
    lifetime = tokens.access.lifetime?.components.seconds
    scopes = tokens.access.scopes.isEmpty ? nil : tokens.access.scopes
    refresh = tokens.refresh?.value.reveal()
    identity = tokens.identity?.value.reveal()
  }

  func tokens() throws(AuthenticationError) -> SessionTokens {
    SessionTokens(
      access: try AccessToken(
        Secret(access), type: type, receivedAt: receivedAt, lifetime: lifetime.map { .seconds($0) },
        scopes: scopes ?? []),
      refresh: refresh.map { RefreshToken(Secret($0)) },
      identity: identity.map { RawIdentityToken(Secret($0)) })
  }
}
