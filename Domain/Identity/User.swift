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

    /// As derived, but for the id: see ``User/isSame(as:)``.
    static func == (one: Self, other: Self) -> Bool {
      one.id.utf8.elementsEqual(other.id.utf8)
        && (one.name, one.email, one.isNew, one.isEmailVerified, one.phoneNumber, one.picture)
          == (other.name, other.email, other.isNew, other.isEmailVerified, other.phoneNumber, other.picture)
        && (one.locale, one.createdAt, one.isAnonymous, one.claims, one.omittedClaims)
          == (other.locale, other.createdAt, other.isAnonymous, other.claims, other.omittedClaims)
    }
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
  /// The provider's further statements about the user, by its names: roles, groups, an organization. They are for an
  /// app's screens. The API decides the rights of a user, and the ``id`` identifies the user.
  ///
  /// At most 32 KiB of them are kept, the smallest first, each nested at most 31 deep; see ``omittedClaims``.
  ///
  /// They hold no secret. Left out at any depth is a text that contains a token of the session or a JWT (`eyJ`, then
  /// two dots), and any value but a number and a truth value under a name that ends in `token`, `jwt`, `secret`,
  /// `password`, `passwd`, `passphrase`, `credential`, `assertion`, `cookie`, `code_verifier`, `authorization`,
  /// `authorization_code`, `api_key`, `access_key`, `secret_key` or `private_key`, or in the plural of one. Neither the
  /// case of a name counts, nor its characters other than letters.
  public var claims: [String: JSONValue] { contents.value.claims }
  /// The names of claims that were too large or nested too deep to be kept, in order; at most 64.
  public var omittedClaims: [String] { contents.value.omittedClaims }

  /// For a provider that maps a response, and for tests.
  public init(
    id: String, name: String? = nil, email: String? = nil, isNew: Bool = false, isEmailVerified: Bool? = nil,
    phoneNumber: String? = nil, picture: String? = nil, locale: String? = nil, createdAt: Date? = nil,
    isAnonymous: Bool = false, claims: [String: JSONValue] = [:], omittedClaims: [String] = []
  ) {
    let (claims, tooLarge) = Self.bounded(claims.withoutSecrets())
    let omitted = Set(omittedClaims + tooLarge).filter {
      claims[$0] == nil && $0.utf8.count <= 256 && !$0.holdsSecret(of: [])
    }
    contents = Boxed(
      Contents(
        id: id, name: name, email: email, isNew: isNew, isEmailVerified: isEmailVerified, phoneNumber: phoneNumber,
        picture: picture, locale: locale, createdAt: createdAt, isAnonymous: isAnonymous, claims: claims,
        omittedClaims: Array(omitted.sorted().prefix(64))))
  }
}

extension User {
  /// Whether it is the same account, whatever else is known of it. Ids are compared byte for byte: `==` on texts treats
  /// spellings as equal that Unicode normalisation makes equal, and a provider may have a user for each.
  package func isSame(as other: User?) -> Bool { other.map { id.utf8.elementsEqual($0.id.utf8) } ?? false }

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

  /// Without texts that contain one of these secrets, in the claims and in the other members.
  package func without(_ secrets: [Secret]) -> User {
    let shown = { (text: String?) in text.flatMap { $0.holdsSecret(of: secrets) ? nil : $0 } }
    let rest = claims.withoutSecrets(secrets)
    let texts = [name, email, phoneNumber, picture, locale]
    if rest == claims, texts.map(shown) == texts { return self }
    return User(
      id: id, name: shown(name), email: shown(email), isNew: isNew, isEmailVerified: isEmailVerified,
      phoneNumber: shown(phoneNumber), picture: shown(picture), locale: shown(locale), createdAt: createdAt,
      isAnonymous: isAnonymous, claims: rest, omittedClaims: omittedClaims.filter { !$0.holdsSecret(of: secrets) })
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

extension [String: JSONValue] {
  /// Without the texts that ``User/claims`` leaves out.
  ///
  /// - Parameter secrets: of the session.
  package func withoutSecrets(_ secrets: [Secret] = []) -> Self {
    reduce(into: [:]) { kept, member in
      guard !member.key.holdsSecret(of: secrets), !member.key.namesSecret || member.value.isPlain else { return }
      kept[member.key] = member.value.withoutSecrets(secrets)
    }
  }
}

extension JSONValue {
  fileprivate var isPlain: Bool {
    switch self {
    case .null, .boolean, .number: true
    case .string, .array, .object: false
    }
  }

  /// Nil for a text that contains one.
  fileprivate func withoutSecrets(_ secrets: [Secret]) -> JSONValue? {
    switch self {
    case .null, .boolean, .number: self
    case .string(let text): text.holdsSecret(of: secrets) ? .none : self
    case .array(let items): .array(items.compactMap { $0.withoutSecrets(secrets) })
    case .object(let members): .object(members.withoutSecrets(secrets))
    }
  }
}

extension String {
  private static let secretNames = [
    "token", "jwt", "secret", "password", "passwd", "passphrase", "credential", "assertion", "cookie", "codeverifier",
    "authorization", "authorizationcode", "apikey", "accesskey", "secretkey", "privatekey",
  ].flatMap { [$0, $0 + "s"] }

  /// Whether a member of this name has a secret for its value.
  fileprivate var namesSecret: Bool {
    let letters = filter(\.isLetter).lowercased()
    return Self.secretNames.contains(where: letters.hasSuffix)
  }

  /// Whether it is or contains a JWT (RFC 7519 §3), or one of these. A short secret may be part of a text by chance.
  fileprivate func holdsSecret(of secrets: [Secret]) -> Bool {
    let isSecret = secrets.contains { secret in
      let secret = secret.reveal()
      return self == secret || secret.utf8.count >= 16 && utf8.count > secret.utf8.count && contains(secret)
    }
    if isSecret { return true }
    let words = utf8.split { byte in
      let letter = byte | 0x20
      return
        !(0x61...0x7A ~= letter || 0x30...0x39 ~= byte || byte == 0x2D || byte == 0x2E || byte == 0x3D || byte == 0x5F)
    }
    return words.contains { word in
      word.split(separator: 0x2E, omittingEmptySubsequences: false).dropLast(2).contains {
        Substring($0).contains("eyJ")
      }
    }
  }
}
