#if Tools && OpenID
import AuthenticationDomain
import Foundation

struct SupabaseAccount: Sendable {
  let id: String
  let createdAt: Date
  /// Empty where there is none.
  var email = ""
  /// Without the plus sign; empty where there is none.
  var phone = ""
  var password: String?
  var emailConfirmedAt: Date?
  var phoneConfirmedAt: Date?
  var lastSignInAt: Date?
  var metadata: [String: JSONValue] = [:]
  var identities: [SupabaseIdentity] = []
  var factors: [SupabaseFactor] = []
  var passkeys: [SupabasePasskey] = []
  var isAnonymous = false
  var isBanned = false
  var newEmail = ""
  var newPhone = ""
  var hasConfirmedOldEmail = false
  var hasConfirmedNewEmail = false

  mutating func addIdentity(provider: String, subject: String, email: String?, at now: Date, id identityID: String) {
    identities.append(.init(identityID: identityID, provider: provider, subject: subject, email: email, createdAt: now))
  }
}

struct SupabaseIdentity: Sendable {
  let identityID: String
  let provider: String
  let subject: String
  var email: String?
  let createdAt: Date
}

struct SupabaseFactor: Sendable {
  enum Kind: Sendable {
    case totp(secret: String)
    case phone(String)
    case key
  }

  let id: String
  let kind: Kind
  let name: String?
  let createdAt: Date
  var isVerified = false
  /// A code works once.
  var lastStep: Int?
}

struct SupabaseSession: Sendable {
  let id: String
  let accountID: String
  var aal = "aal1"
  var methods: [(method: String, at: Date)]
  /// The refresh token that is good now.
  var active = ""
}

struct SupabaseRefreshToken: Sendable {
  let sessionID: String
  /// The token in whose place it came.
  let parent: String?
  var spentAt: Date?
}

struct SupabaseAccessToken: Sendable {
  let sessionID: String
  let accountID: String
  let expiresAt: Date
}

struct SupabaseCode: Sendable {
  let type: String
  let accountID: String
  let address: String
  let code: String
  let hash: String
  let expiresAt: Date
  var proof: SupabaseProof?
}

/// The challenge whose verifier a client must show later (RFC 7636 §4.2).
struct SupabaseProof: Sendable {
  let challenge: String
  let method: String
}

/// A link that was followed and waits for its client.
struct SupabaseFlow: Sendable {
  let accountID: String
  let type: String
  let proof: SupabaseProof
  let expiresAt: Date
  var isUsed = false
}

/// A page that a browser is about to be shown.
struct SupabasePageState: Sendable {
  let provider: String
  let redirect: String
  let proof: SupabaseProof?
  let startedAt: Date
  /// Whose identity is linked; nil for a sign-in.
  let accountID: String?
}

struct SupabasePasskey: Sendable {
  let id: String
  let credentialID: String
  let createdAt: Date
  var name: String?
}

struct SupabaseFactorChallenge: Sendable {
  let factorID: String
  let code: String?
  let expiresAt: Date
}
#endif
