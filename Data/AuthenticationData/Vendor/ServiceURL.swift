package import AuthenticationDomain
package import Foundation

/// The validated base URL of a vendor's service, and the requests below it.
package struct ServiceURL: Sendable {
  package let url: URL
  package let origin: Origin

  /// - Parameters:
  ///   - text: an absolute URL.
  ///   - key: the name under which the app configured it, for the error.
  ///   - allowsPath: whether more than an origin is expected.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` unless it is https, or http to this machine, without
  ///   user info, query and fragment.
  package init(_ text: String, key: String, allowsPath: Bool = false) throws(AuthenticationError) {
    guard let url = URL(string: text), let origin = Origin(url) else {
      throw .invalid(key, "is not an absolute http or https URL without user info")
    }
    guard origin.isSecure else { throw .invalid(key, "is neither https nor on this machine") }
    guard url.query() == nil, url.fragment() == nil else { throw .invalid(key, "has a query or a fragment") }
    guard allowsPath || ["", "/"].contains(url.path()) else { throw .invalid(key, "has a path") }
    self.url = url
    self.origin = origin
  }

  /// A request with a JSON body, which no client sends twice.
  package func post(
    _ path: String, query: KeyValuePairs<String, String> = [:], headers: HTTPHeaders = [:], _ body: [String: JSONValue]
  ) throws(AuthenticationError) -> HTTPRequest {
    try request(.post, path, query: query, headers: headers, body)
  }

  /// A request; its body is sent as JSON. Only one that reads is sent twice: a service may respond to the second change or
  /// deletion otherwise than the first.
  package func request(
    _ method: HTTPMethod, _ path: String, query: KeyValuePairs<String, String> = [:], headers: HTTPHeaders = [:],
    _ body: [String: JSONValue]? = nil
  ) throws(AuthenticationError) -> HTTPRequest {
    var headers = headers
    headers["Accept"] = "application/json"
    var url = url.appending(path: path)
    if !query.isEmpty { url.append(queryItems: query.map { URLQueryItem(name: $0.key, value: $0.value) }) }
    guard let body else { return HTTPRequest(method, url, headers: headers, isIdempotent: method.isSafe) }
    headers["Content-Type"] = "application/json"
    guard let json = JSONMembers(body).json else {
      throw AuthenticationError(.invalidRequest, "The body for '\(path)' cannot be written as JSON; nothing was sent.")
    }
    return HTTPRequest(method, url, headers: headers, body: json, isIdempotent: method.isSafe)
  }
}

extension AuthenticationError {
  /// A configuration that cannot work.
  ///
  /// - Parameters:
  ///   - key: what the app configured.
  ///   - reason: what is wrong with it, without its value.
  package static func invalid(_ key: String, _ reason: String) -> Self {
    invalidConfiguration("The configured '\(key)' \(reason).", suggestion: "Check it where the provider is configured.")
  }
}
