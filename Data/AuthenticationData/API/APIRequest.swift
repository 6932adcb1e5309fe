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
  /// Relative to the base URL.
  public var path: String
  /// The query, by name; the values are percent-encoded here.
  public var query: [String: String]
  /// Sent as JSON; nil sends none.
  public var body: APIContract.Body?
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
}

extension APIBase {
  func request(_ request: APIRequest, _ token: AccessToken? = nil) throws(AuthenticationError) -> HTTPRequest {
    var sent: HTTPRequest
    if let body = request.body {
      sent = try post(request.path, body)
      sent.method = request.method
    } else {
      sent = HTTPRequest(request.method, url.appending(path: request.path), headers: ["Accept": "application/json"])
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
