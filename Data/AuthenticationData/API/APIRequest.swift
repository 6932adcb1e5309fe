public import AuthenticationDomain
import Foundation

/// One request of an ``APIContract``, below its base URL.
///
/// ```swift
/// APIRequest(.post, "auth/code", body: ["email": "ada@example.com"])
/// ```
public struct APIRequest: Sendable {
  package var method: HTTPMethod
  package var path: String
  package var query: [String: String]
  package var body: APIContract.Body?
  package var form: [String: Secret]?
  /// Header fields besides those of the client.
  public var headers: [String: Secret]

  /// Creates a request; nothing is sent.
  ///
  /// - Parameters:
  ///   - method: the request method (RFC 9110 §9).
  ///   - path: relative to the base URL. In a request for the user who is signed in, `{user}` is replaced by their id.
  ///   - query: by name; the values are percent-encoded here.
  ///   - body: sent as JSON; nil sends none.
  ///   - form: sent in place of a body, as `application/x-www-form-urlencoded` (RFC 6749 appendix B); nil sends none.
  ///   - headers: further header fields. The access token of a user who is signed in is added unless `Authorization` is
  ///     here.
  public init(
    _ method: HTTPMethod, _ path: String, query: [String: String] = [:], body: APIContract.Body? = nil,
    form: [String: Secret]? = nil, headers: [String: Secret] = [:]
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.form = form
    self.headers = headers
  }
}

/// A validated base URL, and the requests to paths below it.
package struct APIBase: Sendable {
  package let origin: Origin
  private let url: URL

  /// Throws ``AuthenticationError/invalidConfiguration`` unless the URL is absolute, https (or http to this
  /// machine), and without user info, query and fragment.
  package init(_ text: String) throws(AuthenticationError) {
    guard let url = URL(string: text), let origin = Origin(url) else {
      throw .invalidBaseURL("is not an absolute http or https URL without user info")
    }
    guard origin.isSecure else { throw .invalidBaseURL("is neither https nor on this machine") }
    guard url.query() == nil, url.fragment() == nil else { throw .invalidBaseURL("has a query or a fragment") }
    self.url = url
    self.origin = origin
  }

  /// Creates the request to send; throws ``AuthenticationError/invalidRequest`` if its body cannot be written as
  /// JSON.
  ///
  /// - Parameters:
  ///   - token: authorizes the request.
  ///   - user: whose id stands for `{user}`.
  package func request(
    _ request: APIRequest, _ token: AccessToken? = nil, of user: User? = nil
  ) throws(AuthenticationError) -> HTTPRequest {
    let url = url.appending(path: try Self.path(request.path, of: user))
    var sent = HTTPRequest(request.method, url)
    if let form = request.form {
      var body = FormBody()
      for (name, value) in form.sorted(by: { $0.key < $1.key }) { body.add(name, value.reveal()) }
      sent = HTTPRequest(posting: body, to: url)
      sent.method = request.method
    } else {
      if let body = request.body {
        sent.headers["Content-Type"] = "application/json"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { sent.body = try encoder.encode(body) } catch { throw .unencodableBody(request.path) }
      }
      sent.headers["Accept"] = "application/json"
    }
    // A backend may respond to the second deletion or change otherwise than to the first, and the caller would get that.
    sent.isIdempotent = request.method.isSafe
    if !request.query.isEmpty {
      sent.url.append(queryItems: request.query.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
    }
    if let token { sent.headers["Authorization"] = token.authorization.reveal() }
    for (name, value) in request.headers { sent.headers[name] = value.reveal() }
    return sent
  }

  /// Puts the user's id where the path says `{user}`.
  private static func path(_ path: String, of user: User?) throws(AuthenticationError) -> String {
    guard path.contains("{user}") else { return path }
    guard let user else { throw .unknownUser(path) }
    return path.replacing("{user}", with: try component(user.id))
  }

  /// An id as a part of a path; one that would lead elsewhere is refused.
  package static func component(_ id: String) throws(AuthenticationError) -> String {
    guard !["", ".", ".."].contains(id), !id.contains("/") else { throw .impossibleID }
    return id
  }
}

extension AuthenticationError {
  /// The encoder's own message is dropped: it may quote a value.
  fileprivate static func unencodableBody(_ path: String) -> Self {
    Self(
      .invalidRequest, "The body for '\(path)' cannot be written as JSON; nothing was sent.",
      suggestion: "Check what the bodies of APIContract encode: no number that is not finite.")
  }
  fileprivate static func invalidBaseURL(_ reason: String) -> Self {
    Self(
      .invalidConfiguration, "The base URL of the API \(reason).", suggestion: "Write it like https://api.example.com.")
  }
  fileprivate static let impossibleID = Self(
    .invalidRequest, "The id is empty, or has a slash, and would lead to another path; nothing was sent.",
    suggestion: "Give the backend's ids another form.")
  fileprivate static func unknownUser(_ path: String) -> Self {
    Self(
      .invalidConfiguration, "The path '\(path)' names a user, who is not known yet; nothing was sent.",
      suggestion: "Set APIContract.mapIncludedUser, so that a sign-in needs no request for the user.")
  }
}
