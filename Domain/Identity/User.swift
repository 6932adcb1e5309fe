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
    let omittedClaims: [String]
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
  /// What else the provider said about the user, by its own names: roles, groups, an organization. They decide what an
  /// app shows, never what a user may do, which the API decides, nor who the user is: that is the ``id``.
  ///
  /// At most 32 KiB of them are kept, the smallest first, each nested at most 31 deep; see ``omittedClaims``.
  public var claims: [String: JSONValue] { contents.value.claims }
  /// The names of claims that were too large or nested too deep to be kept, in order; at most 64.
  public var omittedClaims: [String] { contents.value.omittedClaims }

  /// For a provider that maps a response, and for tests.
  public init(
    id: String, name: String? = nil, email: String? = nil, isNew: Bool = false, isEmailVerified: Bool? = nil,
    phoneNumber: String? = nil, picture: String? = nil, locale: String? = nil, createdAt: Date? = nil,
    isAnonymous: Bool = false, claims: [String: JSONValue] = [:], omittedClaims: [String] = []
  ) {
    let (claims, tooLarge) = Self.bounded(claims)
    let omitted = Set(omittedClaims + tooLarge).filter { claims[$0] == nil && $0.utf8.count <= 256 }
    contents = Boxed(
      Contents(
        id: id, name: name, email: email, isNew: isNew, isEmailVerified: isEmailVerified, phoneNumber: phoneNumber,
        picture: picture, locale: locale, createdAt: createdAt, isAnonymous: isAnonymous, claims: claims,
        omittedClaims: Array(omitted.sorted().prefix(64))))
  }
}

extension User {
  /// With these claims, each in place of the one of the same name.
  package func adding(_ new: [String: JSONValue]) -> User {
    if new.isEmpty { return self }
    return User(
      id: id, name: name, email: email, isNew: isNew, isEmailVerified: isEmailVerified, phoneNumber: phoneNumber,
      picture: picture, locale: locale, createdAt: createdAt, isAnonymous: isAnonymous,
      claims: claims.merging(new) { $1 }, omittedClaims: omittedClaims)
  }

  /// With the claims of an earlier description of the same account that this one lacks.
  package func keepingClaims(of earlier: User) -> User {
    earlier.claims.isEmpty ? self : adding(earlier.claims.merging(claims) { $1 })
  }

  private static func bounded(_ claims: [String: JSONValue]) -> (kept: [String: JSONValue], omitted: [String]) {
    let sized = claims.map { (name: $0.key, value: $0.value, size: $0.value.size(within: 31)) }
    var (kept, omitted, left) = ([String: JSONValue](), [String](), 32 << 10)
    for claim in sized.sorted(by: { ($0.size ?? .max, $0.name) < ($1.size ?? .max, $1.name) }) {
      guard let size = claim.size, size + claim.name.utf8.count <= left else {
        omitted.append(claim.name)
        continue
      }
      left -= size + claim.name.utf8.count
      kept[claim.name] = claim.value
    }
    return (kept, omitted)
  }
}

extension JSONValue {
  /// About as many bytes as it has in JSON; nil if it nests deeper.
  fileprivate func size(within depth: Int) -> Int? {
    switch self {
    case .null, .boolean: 5
    case .number: 16
    case .string(let text): text.utf8.count + 3
    case .array(let items) where depth > 0: Self.size(of: items, within: depth - 1)
    case .object(let members) where depth > 0:
      Self.size(of: members.values, within: depth - 1).map { size in
        members.keys.reduce(size) { $0 + $1.utf8.count + 3 }
      }
    case .array, .object: nil
    }
  }

  private static func size(of items: some Sequence<JSONValue>, within depth: Int) -> Int? {
    var sum = 3
    for item in items {
      guard let size = item.size(within: depth) else { return nil }
      sum += size
    }
    return sum
  }
}
