#if Tools && OpenID
import Foundation

struct FirebaseAccount: Sendable {
  let id: String
  let createdAt: Date
  var email: String?
  var isEmailVerified = false
  var password: String?
  var displayName: String?
  var photoURL: String?
  var phoneNumber: String?
  var identities: [FirebaseIdentity] = []
  var factors: [FirebaseFactor] = []
  var isDisabled = false
  var lastLoginAt: Date?
  /// Counts the changes that end all earlier tokens (`validSince`, which has seconds only).
  var epoch = 0
  var validSince: Date
}

/// A sign-in on a provider's page (`createAuthUri`).
struct FirebaseBegunPage: Sendable {
  let providerID: String
  let continueURI: String
  let sessionID: String
  /// By the code with which the page ended.
  var codes: [String: FirebaseIdentity] = [:]
}

/// An account at another provider.
struct FirebaseIdentity: Sendable, Hashable {
  let providerID: String
  let subject: String
  var email: String?
  var name: String?
}

struct FirebaseFactor: Sendable {
  enum Kind: Sendable {
    case totp(secret: String)
    case phone(String)
  }

  let id: String
  let kind: Kind
  var name: String?
  var enrolledAt = Date(timeIntervalSince1970: 1_750_000_000)
  /// A code works once.
  var lastStep: Int?
}

/// The grant of an ID token and its refresh token.
struct FirebaseGrant: Sendable {
  let accountID: String
  let epoch: Int
  let provider: String
  let authenticatedAt: Date
  var factorID: String?
  /// Of the ID token; a refresh token has no end by time.
  var expiresAt = Date.distantFuture
}

struct FirebaseMailCode: Sendable {
  let requestType: String
  let address: String
  var newAddress: String?
  var accountID: String?
  let expiresAt: Date
}

struct FirebasePhoneCode: Sendable {
  let phoneNumber: String
  let code: String
  let expiresAt: Date
}

/// A first factor that was right, of a user with a second one.
struct FirebasePendingSignIn: Sendable {
  let accountID: String
  let provider: String
  let expiresAt: Date
}

struct FirebaseEnrolment: Sendable {
  let accountID: String
  let kind: FirebaseFactor.Kind
  var code: FirebasePhoneCode?
}
#endif
