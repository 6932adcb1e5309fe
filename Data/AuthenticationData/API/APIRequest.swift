public import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One request of an ``APIContract``, below its base URL.
///
/// ```swift
/// APIRequest(.post, "auth/code", body: ["email": "ada@example.com"])
/// ```
public struct APIRequest: Sendable {
  /// The request method (RFC 9110 §9).
  public var method: HTTPMethod
  /// Relative to the base URL. In a request for who is signed in, `{user}` is replaced by the user's id.
  public var path: String
  /// The query, by name; the values are percent-encoded here.
  public var query: [String: String]
  /// Sent as JSON; nil sends none.
  public var body: APIContract.Body?
  /// Sent as a form (`application/x-www-form-urlencoded`, RFC 6749 appendix B), in place of ``body``; nil sends none.
  public var form: [String: Secret]?
  /// Further header fields. The access token of a person who is signed in is added unless `Authorization` is here.
  public var headers: [String: Secret]

  /// Creates a request; nothing is sent.
  public init(
    _ method: HTTPMethod, _ path: String, query: [String: String] = [:], body: APIContract.Body? = nil,
    headers: [String: Secret] = [:]
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.headers = headers
  }

  /// Creates a request with a form for a body; nothing is sent.
  public init(
    _ method: HTTPMethod, _ path: String, query: [String: String] = [:], form: [String: Secret],
    headers: [String: Secret] = [:]
  ) {
    self.init(method, path, query: query, headers: headers)
    self.form = form
  }
}

extension APIBase {
  /// - Parameters:
  ///   - token: authorizes the request.
  ///   - user: whose id stands for `{user}`.
  func request(
    _ request: APIRequest, _ token: AccessToken? = nil, of user: User? = nil
  ) throws(AuthenticationError) -> HTTPRequest {
    let path = try Self.path(request.path, of: user)
    var sent: HTTPRequest
    if let form = request.form {
      var body = FormBody()
      for (name, value) in form.sorted(by: { $0.key < $1.key }) { body.add(name, value.reveal()) }
      sent = HTTPRequest(posting: body, to: url.appending(path: path))
      sent.method = request.method
    } else if let body = request.body {
      sent = try post(path, body)
      sent.method = request.method
    } else {
      sent = HTTPRequest(request.method, url.appending(path: path), headers: ["Accept": "application/json"])
    }
    // A backend may answer the second deletion or change otherwise than the first, and the caller would get that.
    sent.isIdempotent = request.method.isSafe
    if !request.query.isEmpty {
      sent.url.append(queryItems: request.query.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
    }
    if let token { sent.headers["Authorization"] = token.authorization.reveal() }
    for (name, value) in request.headers { sent.headers[name] = value.reveal() }
    return sent
  }
}
