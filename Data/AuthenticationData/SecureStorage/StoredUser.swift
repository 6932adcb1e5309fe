import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The fields of one user, as they are read.
struct StoredUser {
  private var fields: [String: String] = [:]
  private var claims = StoredClaims.Draft()

  private static let names: Set = [
    "user-id", "user-name", "email", "new-user", "email-verified", "phone", "picture", "locale", "created-at",
    "anonymous",
  ]

  /// Whether the field is one of the user's.
  mutating func take(_ name: String, _ value: String) -> Bool {
    if name.hasPrefix("claim") {
      claims.take(name, value)
    } else if Self.names.contains(name) {
      fields[name] = value
    } else {
      return false
    }
    return true
  }

  var user: User? {
    fields["user-id"].map { id in
      User(
        id: id, name: fields["user-name"], email: fields["email"], isNew: fields["new-user"] != nil,
        isEmailVerified: fields["email-verified"].map { $0 == "yes" }, phoneNumber: fields["phone"],
        picture: fields["picture"], locale: fields["locale"],
        createdAt: fields["created-at"].flatMap { try? StoredRecord.date($0) }, isAnonymous: fields["anonymous"] != nil,
        claims: claims.claims)
    }
  }
}

extension StoredFields.Writer {
  mutating func add(_ user: User) {
    add("user-id", user.id)
    add("user-name", user.name)
    add("email", user.email)
    add("new-user", user.isNew ? "yes" : nil)
    add("email-verified", user.isEmailVerified.map { $0 ? "yes" : "no" })
    add("phone", user.phoneNumber)
    add("picture", user.picture)
    add("locale", user.locale)
    add("created-at", user.createdAt.map { String($0.timeIntervalSinceReferenceDate) })
    add("anonymous", user.isAnonymous ? "yes" : nil)
    StoredClaims.write(user.claims, to: &self)
  }
}
