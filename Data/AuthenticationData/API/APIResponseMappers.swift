package import AuthenticationDomain
package import Foundation

/// Maps `{"accessToken", "idToken"?, "refreshToken"?, "expiresIn"?}` to tokens.
package enum APITokenResponseMapper {
  /// Maps the response to tokens.
  ///
  /// `expiresIn` may be a number in a string, as some servers send it. If its value is not plausible, the lifetime is
  /// unknown and the tokens are kept: the previous refresh token may already have been used up.
  ///
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if the body is not such an object; no text of it is
  ///   quoted.
  package static func map(_ response: HTTPResponse, receivedAt: Date) throws(AuthenticationError) -> SessionTokens {
    guard response.isJSON, let wire = try? BoundedJSON.decode(TokenBody.self, from: response.body) else {
      throw .malformed
    }
    return SessionTokens(
      access: try AccessToken(
        Secret(wire.accessToken), receivedAt: receivedAt, lifetime: wire.expiresIn.flatMap(lifetime),
        clockOffset: response.clockOffset(receivedAt: receivedAt)),
      refresh: wire.refreshToken.flatMap { $0.isEmpty ? nil : RefreshToken(Secret($0)) },
      identity: wire.idToken.flatMap { $0.isEmpty ? nil : RawIdentityToken(Secret($0)) })
  }

  /// Checks that `expiresIn`, if present, is between 1 second and 10 years.
  ///
  /// - Throws: ``AuthenticationError/unexpectedResponse``, which quotes nothing.
  package static func checkLifetime(_ response: HTTPResponse) throws(AuthenticationError) {
    guard let wire = try? BoundedJSON.decode(TokenBody.self, from: response.body) else { return }
    if let seconds = wire.expiresIn, lifetime(seconds) == nil { throw .implausibleLifetime }
  }

  private static let longestLifetime = AccessToken.longestLifetime / .seconds(1)

  private static func lifetime(_ seconds: Double) -> Duration? {
    seconds >= 1 && seconds <= longestLifetime ? .seconds(seconds) : nil
  }
}

/// Not generic over the number's type, which on Linux would cost a twentieth of the decoding time.
private struct TokenBody: Decodable {
  let accessToken: String
  let idToken: String?
  let refreshToken: String?
  /// NaN if the value that was sent is not a number.
  let expiresIn: Double?

  private enum CodingKeys: CodingKey {
    case accessToken, idToken, refreshToken, expiresIn
  }

  init(from decoder: any Decoder) throws {
    let body = try decoder.container(keyedBy: CodingKeys.self)
    accessToken = try body.decode(String.self, forKey: .accessToken)
    idToken = try body.decodeIfPresent(String.self, forKey: .idToken)
    refreshToken = try body.decodeIfPresent(String.self, forKey: .refreshToken)
    do {
      expiresIn = try body.decodeIfPresent(Double.self, forKey: .expiresIn)
    } catch {
      expiresIn = (try? body.decode(String.self, forKey: .expiresIn)).flatMap { Double($0) } ?? .nan
    }
  }
}

extension AuthenticationError {
  fileprivate static let implausibleLifetime = Self(
    .unexpectedResponse, "The response's expiresIn is not between 1 second and 10 years.",
    suggestion: "Check what the backend returns: seconds, or no expiresIn where the lifetime is unknown.")
  fileprivate static let malformed = Self(
    .unexpectedResponse, "The response is not a JSON object with a usable accessToken.",
    suggestion: "Check what the backend returns, or give APIContract a mapper of your own.")
}

/// Maps `{"email", "username", "name": {"firstName", "lastName"}, "lastAuthenticated"}` to a ``User``, whose id is
/// the user name; `lastAuthenticated` is null for a new user.
package enum APIUserResponseMapper {
  private struct Wire: Decodable {
    struct Name: Decodable {
      let firstName: String
      let lastName: String
    }

    let email: String
    let username: String
    let name: Name
    let lastAuthenticated: String?
  }

  /// Maps the response to a user.
  ///
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if the body is not such an object; no text of it is
  ///   quoted.
  package static func map(_ response: HTTPResponse) throws(AuthenticationError) -> User {
    guard response.isJSON, let wire = try? BoundedJSON.decode(Wire.self, from: response.body), !wire.username.isEmpty
    else {
      throw AuthenticationError(
        .unexpectedResponse, "The response is not a JSON object that describes a user.",
        suggestion: "Check what the backend returns, or give APIContract a mapper of your own.")
    }
    let name = [wire.name.firstName, wire.name.lastName].filter { !$0.isEmpty }.joined(separator: " ")
    return User(
      id: wire.username, name: name.isEmpty ? nil : name, email: wire.email, isNew: wire.lastAuthenticated == nil)
  }
}

/// Maps `{"challenge": {"id", "kind", …}}` to a ``Challenge``, and its answer to a body, as the standard contract has
/// them.
///
/// Besides `id` and `kind` (``Challenge/Kind/id``) all members are optional: `destination`, `length` with `maxLength`,
/// `letters`, `expiresIn` and `resendIn` in seconds, `attemptsLeft`, `choices` (`id`, `kind`, `destination`),
/// `passwordRules`, `secret` and `uri` of an authenticator, `passkey` (options as JSON), `pollIn` in seconds.
package enum APIChallengeResponseMapper {
  private struct Wire: Decodable {
    let challenge: Body
  }

  private struct Body: Decodable {
    let id: String
    let kind: String
    let destination: String?
    let length: Int?
    let maxLength: Int?
    let letters: Bool?
    let expiresIn: Int?
    let resendIn: Int?
    let attemptsLeft: Int?
    let choices: [Choice]?
    let passwordRules: [String]?
    let secret: String?
    let uri: String?
    let passkey: JSONValue?
    let pollIn: Int?
  }

  private struct Choice: Decodable {
    let id: String
    let kind: String
    let destination: String?
  }

  /// Nil if the response, of any status, asks for no step.
  @Sendable package static func map(_ response: HTTPResponse) -> Challenge? {
    guard response.isJSON, let wire = try? BoundedJSON.decode(Wire.self, from: response.body) else { return nil }
    let body = wire.challenge
    guard !body.id.isEmpty, !body.kind.isEmpty else { return nil }
    return Challenge(
      kind: .init(id: body.kind), destination: body.destination, handle: Secret(body.id), format: format(of: body),
      lifetime: body.expiresIn.flatMap(seconds), resendDelay: body.resendIn.flatMap(seconds),
      attemptsLeft: body.attemptsLeft,
      choices: (body.choices ?? []).map { .init(id: $0.id, kind: .init(id: $0.kind), destination: $0.destination) },
      passwordRules: body.passwordRules ?? [],
      enrolment: body.secret.map { .init(secret: Secret($0), uri: body.uri.map(Secret.init)) },
      passkeyRequest: body.passkey.flatMap(text), pollInterval: body.pollIn.flatMap(seconds))
  }

  /// `{"challenge": …}` with one of `code`, `link`, `password`, `choice`, `passkey`, `approval` or `resend`.
  package static func body(of answer: ChallengeAnswer) -> [String: JSONValue] {
    let content: (String, JSONValue) =
      switch answer.content {
      case .code(let code): ("code", .string(code.reveal()))
      case .link(let url): ("link", .string(url.absoluteString))
      case .newPassword(let password): ("password", .string(password.reveal()))
      case .choice(let id): ("choice", .string(id))
      case .passkey(let json): ("passkey", value(json))
      case .approval: ("approval", true)
      case .resend: ("resend", true)
      }
    return ["challenge": .string(answer.challenge.handle.reveal()), content.0: content.1]
  }

  private static func format(of body: Body) -> CodeFormat? {
    // A form draws a place for each character.
    guard let shortest = body.length, case let longest = body.maxLength ?? shortest, 0 < shortest, shortest <= longest,
      longest <= 64
    else { return nil }
    return CodeFormat(length: shortest...longest, alphabet: body.letters == true ? .lettersAndDigits : .digits)
  }

  private static func seconds(_ count: Int) -> Duration? { (0...31_536_000).contains(count) ? .seconds(count) : nil }

  private static func text(_ value: JSONValue) -> Secret? {
    (try? JSONEncoder().encode(value)).map { Secret(String(decoding: $0, as: UTF8.self)) }
  }

  private static func value(_ json: Secret) -> JSONValue {
    (try? BoundedJSON.decode(JSONValue.self, from: Data(json.reveal().utf8))) ?? .null
  }
}
