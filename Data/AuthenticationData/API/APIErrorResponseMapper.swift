public import AuthenticationDomain
package import Foundation

/// Classifies responses outside 2xx. Only error codes are read from a body; its messages are never shown or logged.
package enum APIErrorResponseMapper {
  private struct Wire: Decodable {
    let error: String
    let attemptsLeft: Int?
    let passwordRules: [String]?
  }

  /// Whether the response is `400` or `401` with `{"error": "invalid_grant"}` (RFC 6749 §5.2).
  package static func saysInvalidGrant(_ response: HTTPResponse) -> Bool {
    (response.status == 400 || response.status == 401) && code(of: response) == "invalid_grant"
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
  @Sendable package static func signUpRefusal(_ response: HTTPResponse) -> AuthenticationError? {
    if let error = named(by: response) { return error }
    guard [400, 409, 422].contains(response.status) else { return nil }
    return AuthenticationError(
      .signUpRefused, "The backend refused to create this account (HTTP \(response.status)).",
      suggestion: "Let the user choose another user name or a stronger password."
    ).with(\.providerCode, providerCode(of: response))
  }

  /// Maps a response that no table and no rule of the contract explains.
  package static func map(_ response: HTTPResponse, now: Date) -> AuthenticationError {
    HTTPErrorMapper.map(response, code: code(of: response), now: now)
  }

  /// The backend's own code of a response; nil if it has none that is a plain token.
  package static func providerCode(of response: HTTPResponse) -> String? {
    response.isSuccess ? nil : code(of: response).flatMap(HTTPErrorMapper.plainToken)
  }

  /// The codes that the standard contract gives what failed.
  private static let refusals: [String: AuthenticationError] = [
    "wrong_code": .wrongCode, "code_expired": .codeExpired, "code_reused": .codeReused,
    "too_many_attempts": .tooManyAttempts, "sign_in_expired": .signInExpired, "weak_password": .weakPassword,
    "captcha_required": .captchaRequired, "user_disabled": .userDisabled, "not_verified": .notVerified,
    "account_exists": .accountExists,
  ]

  private static func named(by response: HTTPResponse) -> AuthenticationError? {
    guard (400...499).contains(response.status), let wire = wire(of: response), var error = refusals[wire.error] else {
      return nil
    }
    if let rules = wire.passwordRules, error == .weakPassword { error = .weakPassword.with(\.passwordRules, rules) }
    error.providerCode = providerCode(of: response)
    return error.with(\.attemptsLeft, wire.attemptsLeft)
  }

  private static func code(of response: HTTPResponse) -> String? { wire(of: response)?.error }

  private static func wire(of response: HTTPResponse) -> Wire? {
    response.isJSON ? try? BoundedJSON.decode(Wire.self, from: response.body) : nil
  }
}

extension AuthenticationError {
  /// With the delay of the response's `Retry-After`, if too many requests were sent.
  package func waiting(as response: HTTPResponse, _ now: Date) -> Self {
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
  ///   - error: what it means; ``AuthenticationError/invalidCredentials`` means a wrong code where a code was sent.
  ///   - status: the status of the response; by default any from 400 to 499.
  ///   - path: the path of a member of the body, as in ``HTTPResponse/value(at:)``; by default the body is not read.
  ///   - value: what that member, or one element of its array, is; by default it may be anything but `null`.
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
    return error.with(\.providerCode, value.text.flatMap(HTTPErrorMapper.plainToken))
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
