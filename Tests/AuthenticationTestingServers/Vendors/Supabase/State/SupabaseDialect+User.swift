#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension SupabaseDialect {
  func user(_ account: SupabaseAccount) -> [String: JSONValue] {
    let providers = account.identities.map { JSONValue.string($0.provider) }
    let app: [String: JSONValue] =
      providers.isEmpty ? [:] : ["provider": providers[0], "providers": .array(providers)]
    return [
      "id": .string(account.id), "aud": "authenticated", "role": "authenticated", "email": .string(account.email),
      "phone": .string(account.phone), "email_confirmed_at": Self.time(account.emailConfirmedAt),
      "phone_confirmed_at": Self.time(account.phoneConfirmedAt), "last_sign_in_at": Self.time(account.lastSignInAt),
      "app_metadata": .object(app), "user_metadata": .object(account.metadata),
      "identities": .array(account.identities.map { identity($0, of: account) }),
      "factors": account.factors.isEmpty ? .null : .array(account.factors.map(factor)),
      "created_at": Self.time(account.createdAt), "updated_at": Self.time(account.createdAt),
      "is_anonymous": .boolean(account.isAnonymous),
    ].present
  }

  private func identity(_ identity: SupabaseIdentity, of account: SupabaseAccount) -> JSONValue {
    [
      "identity_id": .string(identity.identityID), "id": .string(identity.subject), "user_id": .string(account.id),
      "provider": .string(identity.provider),
      "identity_data": .object(
        ["sub": .string(identity.subject), "email": .optional(identity.email)].present),
      "last_sign_in_at": Self.time(identity.createdAt), "created_at": Self.time(identity.createdAt),
      "updated_at": Self.time(identity.createdAt),
    ]
  }

  private func factor(_ factor: SupabaseFactor) -> JSONValue {
    let (type, phone): (String, String?) =
      switch factor.kind {
      case .totp: ("totp", nil)
      case .phone(let number): ("phone", Self.plain(number))
      case .key: ("webauthn", nil)
      }
    return .object(
      [
        "id": .string(factor.id), "factor_type": .string(type), "friendly_name": .optional(factor.name),
        "status": factor.isVerified ? "verified" : "unverified", "phone": .optional(phone),
        "created_at": Self.time(factor.createdAt), "updated_at": Self.time(factor.createdAt),
      ].present)
  }

  static func time(_ date: Date?) -> JSONValue { date.map { .string($0.formatted(.iso8601)) } ?? .null }

  func account(email: String) -> SupabaseAccount? {
    accounts.values.first { !email.isEmpty && $0.email.lowercased() == email.lowercased() }
  }

  func account(phone: String) -> SupabaseAccount? {
    accounts.values.first { !phone.isEmpty && $0.phone == Self.plain(phone) }
  }
}
#endif
