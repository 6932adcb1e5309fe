public import AuthenticationDomain
public import Foundation

/// An HTTP response as a value (RFC 9110). Its descriptions show neither header values nor the body.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code (RFC 9110 §15).
  public let status: Int
  /// As received; repeated fields may have been joined with commas (RFC 9110 §5.3).
  public let headers: HTTPHeaders
  /// The whole body, decoded from any content coding; empty where there was none.
  public let body: Data
  /// True if a redirect led to another origin, to which no credentials were sent.
  package var isFromOtherOrigin = false
  /// True if a redirect with 303 led here: the request that the caller sent has been processed (RFC 9110 §15.4.4).
  var isAfterProcessing = false
  /// The request, where a provider's client has sent it; in no description, and without effect on equality.
  var request: HTTPRequest? {
    get { attachment.request }
    set { attachment.request = newValue }
  }
  private var attachment = Attachment()

  /// Creates a response: for a custom client, and for tests.
  public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Whether the status is 2xx (RFC 9110 §15.3).
  public var isSuccess: Bool { (200...299).contains(status) }

  /// Whether the body claims to be JSON (`application/json`, or a `+json` type of RFC 6839 §3.1).
  public var isJSON: Bool {
    guard let field = headers["Content-Type"] else { return false }
    // The fast path: nearly every server sends one of these two forms.
    if field == "application/json" || field.hasPrefix("application/json;") { return true }
    guard let type = field.split(separator: ";").first else { return false }
    let name = type.filter { !$0.isWhitespace }.lowercased()
    return name == "application/json" || name.hasSuffix("+json")
  }
}

/// Any two are equal.
private struct Attachment: Sendable, Hashable {
  var request: HTTPRequest?

  static func == (lhs: Self, rhs: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

extension HTTPResponse: HTTPMessage {
  var summary: String { "HTTP \(status), \(body.count) bytes" }

  /// The server's time when it responded (UTC, `Date`, RFC 9110 §6.6.1); nil if the field is missing or cannot be read.
  ///
  /// - Parameter now: this device's time, to determine the century of a two-digit year.
  package func date(now: Date) -> Date? { headers["Date"].flatMap { HTTPDate.parse($0, now: now) } }

  /// How far the server's clock is ahead of this device's, to a second or two.
  ///
  /// - Parameter receivedAt: this device's time at receipt (UTC).
  /// - Returns: nil if the response has no readable date.
  func clockOffset(receivedAt: Date) -> Duration? {
    date(now: receivedAt).map { .seconds($0.timeIntervalSince(receivedAt).rounded()) }
  }

  /// Returns a value of the JSON body by its path.
  ///
  /// ```swift
  /// contract.endsSession = { $0.status == 401 && $0.value(at: "error.code") == "session_ended" }
  /// ```
  ///
  /// - Parameter path: names of members and indices of arrays (from 0), separated by dots: `data.email.code`,
  ///   `errors.0.code`.
  /// - Returns: nil if the body is not JSON (RFC 8259), whatever its media type, if it has no such value, and for `null`.
  public func value(at path: String) -> JSONValue? { json?.value(at: path) }

  /// The whole body without members that nest too deep; nil if it is not JSON, whatever its media type: some servers
  /// send JSON as text.
  var json: JSONValue? { BoundedJSON.decodePruned(JSONValue.self, from: body) }
}

extension JSONValue {
  var isObject: Bool { if case .object = self { true } else { false } }

  /// The value at a path as in ``HTTPResponse/value(at:)``.
  func value(at path: String) -> JSONValue? {
    var value = self
    for name in path.split(separator: ".") {
      switch value {
      case .object(let members):
        guard let member = members[String(name)] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    // As a literal of the value's own type, nil would be null here.
    guard value != .null else { return Optional.none }
    return value
  }

  /// A text that is not empty, or a whole number as text, as many backends number their records.
  func text(at path: String?) -> String? {
    switch path.flatMap(value) {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let number): Int64(exactly: number).map(String.init)
    default: nil
    }
  }
}

extension HTTPResponse {
  /// How long the server asks clients to wait, in seconds or until a date (`Retry-After`, RFC 9110 §10.2.3).
  ///
  /// - Parameter now: the wall clock (UTC), for a date.
  /// - Returns: nil if the value is missing or not readable, zero for a date that has passed, at most a day.
  public func retryAfter(now: Date) -> Duration? {
    guard let text = headers["Retry-After"] else { return nil }
    let longest = 86_400
    if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
      return .seconds(min(Int(text) ?? longest, longest))
    }
    guard let date = HTTPDate.parse(text, now: now) else { return nil }
    return .seconds(min(max(date.timeIntervalSince(now), 0), Double(longest)))
  }
}

/// The report of a resource in a 401 or 403 response to an access token.
struct AccessRefusal {
  private let status: Int
  private let challenges: [AuthenticateChallenge]
  private let isAfterProcessing: Bool

  /// Nil for every other response, and for one from an origin to which the token was not sent.
  init?(_ response: HTTPResponse) {
    guard response.status == 401 || response.status == 403, !response.isFromOtherOrigin else { return nil }
    status = response.status
    isAfterProcessing = response.isAfterProcessing
    challenges = response.challenges.filter { $0.scheme == "bearer" || $0.scheme == "dpop" }
  }

  /// 401 with a challenge for the token, and not of a page to which a processed request led: the resource checked the
  /// token, and did nothing else.
  var isUnprocessed: Bool { status == 401 && !challenges.isEmpty && !isAfterProcessing }

  /// 401, unless it asks for another sign-in, or for a nonce in the proof (RFC 9449 §9): another token may help,
  /// whatever the reason is called (RFC 6750 §3.1).
  var isOfToken: Bool {
    let isOfProof = !challenges.isEmpty && challenges.allSatisfy { $0.parameters["error"] == "use_dpop_nonce" }
    return status == 401 && error == nil && !isOfProof
  }

  /// The error for a refusal that a new token of the same sign-in would not resolve.
  var error: AuthenticationError? {
    for challenge in challenges {
      switch (status, challenge.parameters["error"]) {
      case (403, "insufficient_scope"): return .insufficientScope(challenge)
      case (401, "insufficient_user_authentication"): return .insufficientUserAuthentication(challenge)
      case (401, "insufficient_claims"): return .insufficientClaims(challenge)
      default: break
      }
    }
    return nil
  }
}

extension HTTPResponse {
  /// Whether the server says that it has not processed the request: a 401 with a `Bearer` or `DPoP` challenge (RFC 9110
  /// §15.5.2, RFC 6750 §3, RFC 9449 §7.1). Any request may then be sent once more, with another token; compare
  /// ``HTTPRequest/isIdempotent``.
  var wasNotProcessed: Bool { AccessRefusal(self)?.isUnprocessed ?? false }

  /// The demand of the resource that no other token of this sign-in meets; nil if there is none.
  package var accessRefusal: AuthenticationError? { AccessRefusal(self)?.error }

  package var challenges: [AuthenticateChallenge] {
    headers.values(of: "WWW-Authenticate").flatMap(AuthenticateChallenge.parse)
  }
}

extension AuthenticationError {
  fileprivate static func insufficientScope(_ challenge: AuthenticateChallenge) -> Self {
    let scopes = challenge.list("scope")
    return Self(
      .insufficientScope, "The resource asks for a scope that this session was not granted.",
      suggestion: "Sign in again and ask for the error's required scopes."
    ).with(\.requiredScopes, scopes)
      .with(\.requirements, scopes.isEmpty ? nil : AuthenticationRequirements(scopes: scopes))
  }

  /// A claims challenge of Microsoft Entra ID
  /// (https://learn.microsoft.com/entra/identity-platform/claims-challenge): the requested claims, in Base64.
  fileprivate static func insufficientClaims(_ challenge: AuthenticateChallenge) -> Self {
    let text = challenge.parameters["claims"].flatMap { $0.utf8.count <= 8_192 ? Data(base64Encoded: $0) : nil }
    let claims = text.flatMap { (try? BoundedJSON.decode([String: JSONValue].self, from: $0)) == nil ? nil : $0 }
    return Self(
      .insufficientUserAuthentication, "The resource asks for another sign-in (claims challenge).",
      suggestion: "Sign in again with the error's requirements, then repeat the request."
    ).with(\.requirements, claims.map { AuthenticationRequirements(claims: String(decoding: $0, as: UTF8.self)) })
  }

  fileprivate static func insufficientUserAuthentication(_ challenge: AuthenticateChallenge) -> Self {
    var error = Self(
      .insufficientUserAuthentication, "The resource asks that the user signs in again, or more strongly.",
      suggestion: "Sign in again with the error's requirements, then repeat the request.")
    let maxAge = challenge.parameters["max_age"].flatMap { Int($0) }.flatMap { $0 >= 0 ? Duration.seconds($0) : nil }
    error.requirements = AuthenticationRequirements(acrValues: challenge.list("acr_values"), maxAge: maxAge)
    return error
  }
}
