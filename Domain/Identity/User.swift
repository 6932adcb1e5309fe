public import Foundation

/// The user who signed in, as the app shows them.
///
/// ```swift
/// let user = User(id: "248289761001", name: "Ada Lovelace", email: "ada@example.com")
/// ```
public struct User: Sendable, Hashable, BoxedValue {
  struct Contents: Sendable, Hashable {
    let id: String
    let name: String?
    let email: String?
    let isNew: Bool
    let isEmailVerified: Bool?
    let phoneNumber: String?
    let picture: String?
    let locale: String?
    let createdAt: Date?
    let isAnonymous: Bool
    let claims: [String: JSONValue]
  }

  let contents: Boxed<Contents>

  /// Stable at the provider: the key under which an app keeps this user's data.
  public var id: String { contents.value.id }
  /// A name to show, if the provider gave one.
  public var name: String? { contents.value.name }
  /// An e-mail address, if the provider gave one; see ``isEmailVerified``.
  public var email: String? { contents.value.email }
  /// True when the provider said that this was the user's first sign-in.
  public var isNew: Bool { contents.value.isNew }
  /// Whether the provider has seen that the address is the user's; nil if it did not say.
  public var isEmailVerified: Bool? { contents.value.isEmailVerified }
  /// A phone number, if the provider gave one.
  public var phoneNumber: String? { contents.value.phoneNumber }
  /// The address of a picture, as the provider gave it: it may be any text.
  public var picture: String? { contents.value.picture }
  /// The user's language and region, as the provider gave it (BCP 47).
  public var locale: String? { contents.value.locale }
  /// When the account was created (UTC), if the provider said so.
  public var createdAt: Date? { contents.value.createdAt }
  /// Whether the account has no name yet: signing out of it would lose it.
  public var isAnonymous: Bool { contents.value.isAnonymous }
  /// What else the provider said about the user, by its own names.
  public var claims: [String: JSONValue] { contents.value.claims }

  /// For a provider that maps a response, and for tests.
  public init(
    id: String, name: String? = nil, email: String? = nil, isNew: Bool = false, isEmailVerified: Bool? = nil,
    phoneNumber: String? = nil, picture: String? = nil, locale: String? = nil, createdAt: Date? = nil,
    isAnonymous: Bool = false, claims: [String: JSONValue] = [:]
  ) {
    contents = Boxed(
      Contents(
        id: id, name: name, email: email, isNew: isNew, isEmailVerified: isEmailVerified, phoneNumber: phoneNumber,
        picture: picture, locale: locale, createdAt: createdAt, isAnonymous: isAnonymous, claims: claims))
  }
}
