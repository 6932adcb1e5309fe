package import AuthenticationDomain
package import Foundation

/// A vendor's JSON object, read member by member. A member of another type than the one asked for counts as absent, so
/// that a vendor's change of other members breaks nothing.
package struct JSONMembers: Sendable {
  /// As they came.
  package let values: [String: JSONValue]

  package init(_ values: [String: JSONValue]) { self.values = values }

  /// Nil unless the text is a JSON object. A member that nests too deep to be decoded is too deep for a claim of a
  /// ``User``, too, which names it.
  package init?(json: Data) {
    guard let values = BoundedJSON.decodePruned([String: JSONValue].self, from: json) else { return nil }
    self.init(values)
  }

  /// The body of a response, whatever its media type.
  ///
  /// - Throws: ``AuthenticationError/unexpectedResponse`` unless it is a JSON object; nothing of it is quoted.
  package init(_ response: HTTPResponse) throws(AuthenticationError) {
    guard let members = Self(json: response.body) else { throw .unexpectedResponse }
    self = members
  }

  /// As JSON text, the members by name; nil for a number that JSON does not have.
  package var json: Data? { try? JSONEncoder.stable.encode(values) }

  /// A text that is not empty.
  package subscript(name: String) -> String? { values[name]?.text.flatMap { $0.isEmpty ? nil : $0 } }

  /// A text that must be there.
  ///
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if it is not, or is empty.
  package func required(_ name: String) throws(AuthenticationError) -> String {
    guard let text = self[name] else { throw .unexpectedResponse.with(\.response, .unusable) }
    return text
  }

  /// A text that must not be printed.
  package func secret(_ name: String) -> Secret? { self[name].map(Secret.init) }

  /// A number, or a text of digits that is one, as some vendors send it.
  package func number(_ name: String) -> Double? {
    let number = values[name].flatMap { value in
      value.number ?? value.text.flatMap { $0.utf8.allSatisfy("-.0123456789".utf8.contains) ? Double($0) : nil }
    }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Scopes as one text (RFC 6749 §3.3), or as a list of texts; nil if it is neither.
  package func scopes(_ name: String, separatedBy separator: Character = " ") -> [String]? {
    if let text = values[name]?.text { return text.split(separator: separator).map(String.init) }
    let scopes = texts(name).filter { !$0.isEmpty }
    return scopes.isEmpty ? nil : scopes
  }

  /// A number without its fraction; nil for one outside the range.
  package func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    number(name).flatMap { Int($0, in: range) }
  }

  /// A number of seconds, between 1 second and 10 years; nil for anything else.
  package func seconds(_ name: String) -> Duration? {
    integer(name, in: 1...Int(AccessToken.longestLifetime.components.seconds)).map { .seconds($0) }
  }

  /// Seconds since 1970 (UTC), or parts of them; nil for anything after the year 9999.
  package func date(_ name: String, partsOfSecond parts: Double = 1) -> Date? {
    number(name).flatMap { Date(boundedSecondsSince1970: $0 / parts) }
  }

  /// A time in ISO 8601, with or without fractions of a second.
  package func iso8601(_ name: String) -> Date? { self[name].flatMap(Date.init(iso8601:)) }

  /// A truth value, or the text `true` or `false`.
  package func flag(_ name: String) -> Bool? { values[name]?.flag }

  /// An object.
  package func members(_ name: String) -> JSONMembers? {
    if case .object(let values) = values[name] { JSONMembers(values) } else { nil }
  }

  /// The objects of an array; empty if there is none.
  package func list(_ name: String) -> [JSONMembers] {
    guard case .array(let elements) = values[name] else { return [] }
    return elements.compactMap { if case .object(let values) = $0 { JSONMembers(values) } else { nil } }
  }

  /// The texts of an array; empty if there is none.
  package func texts(_ name: String) -> [String] {
    guard case .array(let elements) = values[name] else { return [] }
    return elements.compactMap(\.text)
  }
}

extension JSONMembers: Redacted {
  private static let longestToken = 64 << 10

  /// The claims of a JWT (RFC 7519 §7.2) whose signature is not checked: only for a token that came from its issuer
  /// itself over TLS, for one from the app's own storage, or for an early check that a server repeats.
  ///
  /// - Returns: nil unless it has three segments, the second of them a JSON object.
  package init?(unverified token: Secret) {
    let text = token.reveal()
    guard text.utf8.count <= Self.longestToken else { return nil }
    let segments = text.split(separator: ".", omittingEmptySubsequences: false)
    guard segments.count == 3, let payload = Data(lenientBase64: String(segments[1])) else { return nil }
    self.init(json: payload)
  }

  /// The user that an ID token's claims are about (OpenID Connect Core §5.1); nil if there is no `sub`.
  package var user: User? {
    guard let subject = self["sub"] else { return nil }
    return User(
      id: subject, name: DisplayNameClaims.name(of: subject) { self[$0] }, email: self["email"],
      isEmailVerified: flag("email_verified"), phoneNumber: self["phone_number"], picture: self["picture"],
      locale: self["locale"]
    ).adding(claims())
  }

  /// The further claims about the user: without those that are members of a ``User``, and those about the token. Of
  /// claims that lie elsewhere (OpenID Connect Core §5.6.2), which come with a token for there, only their names are
  /// kept.
  ///
  /// - Parameter others: names that the vendor uses for claims that are not about the user.
  package func claims(without others: Set<String> = []) -> [String: JSONValue] {
    values.filter { !Self.notOfUser.contains($0.key) && !others.contains($0.key) }
  }

  private static let notOfUser: Set = [
    "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "azp", "nonce", "at_hash", "c_hash", "s_hash", "auth_time", "sid",
    "name", "email", "email_verified", "phone_number", "picture", "locale", "_claim_sources",
  ]
}

extension Date {
  /// A time in ISO 8601, with or without fractions of a second.
  init?(iso8601 text: String) {
    let date =
      (try? Date(text, strategy: .iso8601))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    guard let date else { return nil }
    self = date
  }
}

/// A successful response of a vendor's service.
package struct VendorResponse: Sendable {
  package let members: JSONMembers
  /// This device's time (UTC).
  let receivedAt: Date
  /// How far the server's clock is ahead; nil if it did not say.
  package let clockOffset: Duration?

  package init(_ response: HTTPResponse, _ members: JSONMembers, receivedAt: Date) {
    self.members = members
    self.receivedAt = receivedAt
    clockOffset = response.clockOffset(receivedAt: receivedAt)
  }

  /// Maps the members with these names to tokens.
  ///
  /// - Parameters:
  ///   - object: has the members; by default the whole response.
  ///   - scopes: the granted scopes.
  ///   - proofKey: the key that the tokens are bound to.
  ///   - lifetime: counts where the response has none.
  /// - Throws: ``AuthenticationError/unexpectedResponse`` without an access token.
  package func tokens(
    access: String, refresh: String, identity: String? = nil, expiresIn: String, of object: JSONMembers? = nil,
    type: String = "Bearer", scopes: [String] = [], proofKey: Secret? = nil,
    lifetime: (JSONMembers?) -> Duration? = { _ in nil }
  ) throws(AuthenticationError) -> SessionTokens {
    let object = object ?? members
    let token = Secret(try object.required(access))
    let access: AccessToken
    do throws(AuthenticationError) {
      access = try AccessToken(
        token, type: type, receivedAt: receivedAt,
        lifetime: object.seconds(expiresIn) ?? lifetime(JSONMembers(unverified: token)), scopes: scopes,
        clockOffset: clockOffset)
    } catch {
      throw error.with(\.response, .unusable)
    }
    return SessionTokens(
      access: access, refresh: object.secret(refresh), identity: identity.flatMap(object.secret), proofKey: proofKey)
  }
}

/// The JSON object that a request to a vendor sends, such as `["email": address, "password": password]`; a member that
/// is nil is left out.
package struct JSONBody: Sendable, Encodable, ExpressibleByDictionaryLiteral {
  /// The allowed values of a member. A secret is revealed here, and nowhere before.
  package protocol Member: Sendable {
    var json: JSONValue { get }
  }

  private var members: [String: JSONValue]

  package init(dictionaryLiteral elements: (String, (any Member)?)...) {
    members = elements.reduce(into: [:]) { members, element in members[element.0] = element.1?.json }
  }

  package subscript(name: String) -> (any Member)? {
    get { members[name] }
    set { members[name] = newValue?.json }
  }

  /// These members and those of another body; of two with the same name, the other's.
  package func adding(_ other: JSONBody) -> JSONBody {
    var body = self
    body.members.merge(other.members) { $1 }
    return body
  }

  package func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}

extension JSONBody: JSONBody.Member, Redacted {
  package var json: JSONValue { .object(members) }
}

extension JSONValue: JSONBody.Member {
  package var json: JSONValue { self }
}

extension String: JSONBody.Member {
  package var json: JSONValue { .string(self) }
}

extension Secret: JSONBody.Member {
  package var json: JSONValue { .string(reveal()) }
}

extension Bool: JSONBody.Member {
  package var json: JSONValue { .boolean(self) }
}

extension Array: JSONBody.Member where Element: JSONBody.Member {
  package var json: JSONValue { .array(map(\.json)) }
}

extension Dictionary: JSONBody.Member where Key == String, Value: JSONBody.Member {
  package var json: JSONValue { .object(mapValues(\.json)) }
}
