import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A second factor that can be used.
struct SupabaseFactor: Sendable {
  let id: String
  let kind: Challenge.Kind
  let label: String?
  /// With its plus sign.
  let phone: String?
  let createdAt: Date?
}

/// Maps the vendor's user: absent addresses are empty texts, and a phone number has no plus sign.
enum SupabaseUserResponseMapper {
  static func map(_ body: JSONMembers, isNew: Bool = false) throws(AuthenticationError) -> User {
    let data = body.members("user_metadata") ?? JSONMembers([:])
    return User(
      id: try body.required("id"), name: data["full_name"] ?? data["name"], email: body["email"], isNew: isNew,
      isEmailVerified: body["email"].map { _ in body["email_confirmed_at"] != nil },
      phoneNumber: body["phone"].map(number),
      picture: data["avatar_url"] ?? data["picture"], locale: data["locale"], createdAt: body.date("created_at"),
      isAnonymous: body.flag("is_anonymous") ?? false,
      claims: body.values.filter { ["user_metadata", "app_metadata", "role"].contains($0.key) })
  }

  private static func number(_ text: String) -> String { text.hasPrefix("+") ? text : "+\(text)" }

  /// Those that are verified, of a kind that is known here.
  static func factors(_ body: JSONMembers) -> [SupabaseFactor] {
    let kinds: [String: Challenge.Kind] = ["totp": .oneTimePassword, "phone": .smsCode, "webauthn": .passkey]
    return body.list("factors").compactMap { factor in
      guard factor["status"] == "verified", let id = factor["id"],
        let kind = factor["factor_type"].flatMap({ kinds[$0] })
      else { return nil }
      return SupabaseFactor(
        id: id, kind: kind, label: factor["friendly_name"], phone: factor["phone"].map(number),
        createdAt: factor.date("created_at"))
    }
  }

  static func linkedMethods(_ body: JSONMembers) -> [LinkedMethod] {
    let known: [String: SignInMethod] = [
      "email": .password, "phone": .phoneCode, "apple": .apple, "google": .google, "facebook": .facebook,
    ]
    return body.list("identities").compactMap { identity in
      guard let id = identity["identity_id"], let provider = identity["provider"] else { return nil }
      return LinkedMethod(
        id: id, method: known[provider] ?? SignInMethod(id: provider, displayName: provider),
        label: identity.members("identity_data")?["email"])
    }
  }
}

extension JSONMembers {
  /// A time in ISO 8601, with or without fractions of a second.
  fileprivate func date(_ name: String) -> Date? {
    self[name].flatMap { text in
      (try? Date(text, strategy: .iso8601))
        ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
  }
}
