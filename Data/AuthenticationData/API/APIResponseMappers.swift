public import AuthenticationDomain
package import Foundation

/// Maps `{"accessToken", "idToken"?, "refreshToken"?, "expiresIn"?}` to tokens.
package enum APITokenResponseMapper {
  /// Maps the response to tokens.
  ///
  /// A member of another type than a text counts as missing; `expiresIn` may be a number in a string, as some servers
  /// send it. If its value is not plausible, the lifetime is unknown. The tokens are kept: the previous refresh token may
  /// already have been used up.
  ///
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if the body is not such an object; no text of it is
  ///   quoted.
  package static func map(_ response: HTTPResponse, receivedAt: Date) throws(AuthenticationError) -> SessionTokens {
    guard let members = try? JSONMembers(response), members["accessToken"] != nil else { throw .malformed(response) }
    return try VendorResponse(response, members, receivedAt: receivedAt).tokens(
      access: "accessToken", refresh: "refreshToken", identity: "idToken", expiresIn: "expiresIn")
  }

  /// Checks that `expiresIn`, if present, is between 1 second and 10 years.
  ///
  /// - Throws: ``AuthenticationError/unexpectedResponse``, which quotes nothing.
  static func checkLifetime(_ response: HTTPResponse) throws(AuthenticationError) {
    guard let members = try? JSONMembers(response), let value = members.values["expiresIn"], value != .null else {
      return
    }
    if members.seconds("expiresIn") == nil { throw .implausibleLifetime }
  }
}

extension AuthenticationError {
  fileprivate static let implausibleLifetime = Self(
    .unexpectedResponse, "The response's expiresIn is not between 1 second and 10 years.",
    suggestion: "Check what the backend returns: seconds, or no expiresIn where the lifetime is unknown.")
  fileprivate static func malformed(_ response: HTTPResponse) -> Self {
    Self(
      .unexpectedResponse, "The response is not a JSON object with a usable accessToken.",
      suggestion: "Check what the backend returns, or give APIContract a mapper of your own."
    ).with(\.response, response.json?.isObject == true ? .unusable : nil)
  }
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

/// Classifies responses outside 2xx. Only error codes are read from a body; its messages are never shown or logged.
package enum APIErrorResponseMapper {
  /// Whether the response has `{"error": "invalid_grant"}` and no token (RFC 6749 §5.2): with any status but that of a
  /// redirect, a limit or a failure.
  static func saysInvalidGrant(_ response: HTTPResponse) -> Bool {
    response.canRefuse && code(of: response) == "invalid_grant"
  }

  /// Returns the error that a code of the body names (``refusals``), or
  /// ``AuthenticationError/invalidCredentials`` for `401`, and for `400` or `403` with a code that says so; else nil.
  @Sendable package static func signInRefusal(_ response: HTTPResponse) -> AuthenticationError? {
    if let error = named(by: response) { return error }
    switch (response.status, code(of: response)) {
    case (401, _), (400, "invalid_credentials"), (400, "invalid_grant"), (403, "invalid_credentials"):
      return .invalidCredentials.with(\.providerCode, providerCode(of: response))
    default: return nil
    }
  }

  /// Returns the error that a code of the body names (``refusals``), or one with the code
  /// ``AuthenticationError/signUpRefused`` for `400`, `409` and `422`; else nil.
  @Sendable static func signUpRefusal(_ response: HTTPResponse) -> AuthenticationError? {
    if let error = named(by: response) { return error }
    guard [400, 409, 422].contains(response.status) else { return nil }
    return AuthenticationError(
      .signUpRefused, "The backend refused to create this account (HTTP \(response.status)).",
      suggestion: "Choose another user name or a stronger password."
    ).with(\.providerCode, providerCode(of: response))
  }

  /// Maps a response that no table and no rule of the contract explains.
  static func map(_ response: HTTPResponse, now: Date) -> AuthenticationError {
    HTTPErrorMapper.map(response, code: code(of: response), now: now)
  }

  /// The backend's own code of a response; nil if it has none that is a plain token.
  static func providerCode(of response: HTTPResponse) -> String? {
    code(of: response).flatMap(response.plainToken)
  }

  /// The codes that the standard contract gives to failures.
  private static let refusals: [String: AuthenticationError] = [
    "wrong_code": .wrongCode, "code_expired": .codeExpired, "code_reused": .codeReused,
    "too_many_attempts": .tooManyAttempts, "sign_in_expired": .signInExpired, "weak_password": .weakPassword,
    "captcha_required": .captchaRequired, "user_disabled": .userDisabled, "not_verified": .notVerified,
    "account_exists": .accountExists,
  ]

  private static func named(by response: HTTPResponse) -> AuthenticationError? {
    guard (400...499).contains(response.status), let body = try? JSONMembers(response),
      var error = body["error"].flatMap({ refusals[$0] })
    else { return nil }
    if error == .weakPassword, case .array? = body.values["passwordRules"] {
      error.passwordRules = body.texts("passwordRules")
    }
    error.passwordRules = error.passwordRules.filter { !response.repeats($0) }
    error.providerCode = providerCode(of: response)
    return error.with(\.attemptsLeft, body.integer("attemptsLeft", in: 0...1_000_000) ?? error.attemptsLeft)
  }

  /// Nil in a response with a token.
  private static func code(of response: HTTPResponse) -> String? {
    guard let body = try? JSONMembers(response), body["accessToken"] == nil || !response.isSuccess else { return nil }
    return body["error"]
  }
}

extension AuthenticationError {
  /// With the delay of the response's `Retry-After`, if too many requests were sent.
  func waiting(as response: HTTPResponse, _ now: Date) -> Self {
    guard [.tooManyAttempts, .rateLimited].contains(self), self.retryAfter == nil else { return self }
    return with(\.retryAfter, response.retryAfter(now: now))
  }
}

/// One way in which a backend refuses, and the error that it means: by status, by any member of the JSON body, or both.
///
/// ```swift
/// contract.refusals = [
///   APIRefusal(.accountExists, at: "data.email.code", is: "not_unique"),
///   APIRefusal(.weakPassword, at: "errors.password"),
///   APIRefusal(.userDisabled, status: 423),
/// ]
/// ```
public struct APIRefusal: Sendable {
  private let error: AuthenticationError
  private let status: Int?
  private let path: String?
  private let value: JSONValue?

  fileprivate var readsBody: Bool { path != nil }

  /// Describes a refusal; all that is given must hold.
  ///
  /// - Parameters:
  ///   - error: its meaning; ``AuthenticationError/invalidCredentials`` means a wrong code where a code was sent.
  ///   - status: the status of the response; by default any from 400 to 499.
  ///   - path: the path of a member of the body, as in ``HTTPResponse/value(at:)``; by default the body is not read.
  ///   - value: the value of that member, or of one element of its array; by default it may be anything but `null`.
  public init(_ error: AuthenticationError, status: Int? = nil, at path: String? = nil, is value: JSONValue? = nil) {
    self.error = error
    self.status = status
    self.path = path
    self.value = value
  }

  /// The error, with the backend's code if this names one; nil if the response is another one.
  func error(of response: HTTPResponse, _ body: JSONValue?) -> AuthenticationError? {
    guard status.map({ $0 == response.status }) ?? (400...499).contains(response.status) else { return nil }
    guard let path else { return error }
    guard let found = body?.value(at: path) else { return nil }
    guard let value else { return error }
    var elements = [found]
    if case .array(let several) = found { elements += several }
    guard elements.contains(value) else { return nil }
    return error.with(\.providerCode, value.text.flatMap(response.plainToken))
  }
}

extension [APIRefusal] {
  /// The error of the first that matches.
  ///
  /// - Parameter readingBody: whether those count alone that read the body.
  package func error(of response: HTTPResponse, readingBody: Bool = false) -> AuthenticationError? {
    if isEmpty { return nil }
    let body = response.json
    return lazy.filter { !readingBody || $0.readsBody }.compactMap { $0.error(of: response, body) }.first
  }
}
