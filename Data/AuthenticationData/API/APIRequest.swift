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

extension ServiceURL {
  /// Creates the request to send below a backend's base URL.
  ///
  /// - Parameters:
  ///   - token: authorizes the request.
  ///   - user: whose id stands for `{user}`.
  /// - Throws: ``AuthenticationError/invalidRequest`` if its body cannot be written as JSON.
  package func request(
    _ request: APIRequest, _ token: AccessToken? = nil, of user: User? = nil
  ) throws(AuthenticationError) -> HTTPRequest {
    let body = request.form == nil ? request.body : nil
    var sent = try self.request(request.method, Self.path(request.path, of: user), query: request.query, body)
    if let form = request.form {
      var fields = FormBody()
      for (name, value) in form.sorted(by: { $0.key < $1.key }) { fields.add(name, value.reveal()) }
      (sent.headers, sent.body) = (HTTPRequest(posting: fields, to: url).headers, Data(fields.encoded.utf8))
    }
    sent.headers["Accept"] = "application/json"
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
  fileprivate static let impossibleID = Self(
    .invalidRequest, "The id is empty, or has a slash, and would lead to another path; nothing was sent.",
    suggestion: "Give the backend's ids another form.")
  fileprivate static func unknownUser(_ path: String) -> Self {
    Self(
      .invalidConfiguration, "The path '\(path)' names a user, who is not known yet; nothing was sent.",
      suggestion: "Set APIContract.mapIncludedUser, so that a sign-in needs no request for the user.")
  }
}
