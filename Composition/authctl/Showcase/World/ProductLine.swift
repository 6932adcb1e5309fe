import AuthenticationKit

/// One of the providers that the same product can be composed with.
struct ProductLine: Sendable, Identifiable {
  let id: String
  let title: String
  /// What a person may add to the account.
  let factors: [Challenge.Kind]
  /// Who can sign in.
  let hint: String

  static let api = Self(
    id: "api", title: "Own API", factors: [.passkey, .smsCode],
    hint: "ada / correct horse · grace / battery staple · mary / proof of stake (with a second factor)")
  static let openID = Self(
    id: "openid", title: "OpenID Connect", factors: [], hint: "ada / correct horse, on the issuer's own page")
  static let supabase = Self(
    id: "supabase", title: "Supabase", factors: [.enrolment],
    hint: "ada@example.com / correct horse · +49 170 1234567")
}

/// Something that is done to the stage.
struct ShowcaseStep: Sendable, Identifiable {
  let id: String
  let title: String
  let sentence: String
}
