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

  /// A request; its body is sent as JSON. Only one that reads is sent twice: a service may respond to the second change
  /// or deletion otherwise than the first.
  ///
  /// - Throws: ``AuthenticationError/invalidRequest`` if the body cannot be written as JSON.
  package func request(
    _ method: HTTPMethod, _ path: String, query: [String: String] = [:], headers: HTTPHeaders = [:],
    _ body: (any Encodable)? = nil
  ) throws(AuthenticationError) -> HTTPRequest {
    var sent = HTTPRequest(method, url.appending(path: path), headers: headers, isIdempotent: method.isSafe)
    if !query.isEmpty {
      sent.url.append(queryItems: query.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
    }
    sent.headers["Accept"] = "application/json"
    if let body {
      sent.headers["Content-Type"] = "application/json"
      do { sent.body = try JSONEncoder.stable.encode(body) } catch { throw .unencodableBody(path) }
    }
    return sent
  }
}

extension JSONEncoder {
  /// Writes the members by name.
  package static var stable: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

extension AuthenticationError {
  /// A configuration that cannot work.
  ///
  /// - Parameters:
  ///   - key: the app's setting.
  ///   - reason: its fault, without its value.
  package static func invalid(_ key: String, _ reason: String) -> Self {
    invalidConfiguration("The configured '\(key)' \(reason).", suggestion: "Check the configuration.", of: key)
  }

  /// The encoder's own message is dropped: it may quote a value.
  fileprivate static func unencodableBody(_ path: String) -> Self {
    Self(
      .invalidRequest, "The body for '\(path)' cannot be written as JSON; nothing was sent.",
      suggestion: "Check what the body holds: no number that is not finite.")
  }
}
