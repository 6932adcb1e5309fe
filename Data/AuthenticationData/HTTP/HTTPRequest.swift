package import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An HTTP request as a value (RFC 9110). Its descriptions show neither the query, nor header values, nor the body.
///
/// ```swift
/// var request = HTTPRequest(.post, url, headers: ["Content-Type": "application/json"], body: Data("{}".utf8))
/// request.isIdempotent = true  // it carries an idempotency key
/// let response = try await root.apiClient.send(request)
/// ```
public struct HTTPRequest: Sendable {
  /// The request method (RFC 9110 §9).
  public var method: HTTPMethod
  /// Absolute: https, or http to this machine.
  public var url: URL
  /// Sent unchanged; a line break in one is refused before anything is sent.
  public var headers: HTTPHeaders
  /// The bytes to send; nil sends none.
  public var body: Data?
  /// Whether it may be sent again although the server may have processed it: after a lost response, a timeout or a 5xx.
  /// True for the idempotent methods (RFC 9110 §9.2.2); set it if the server recognizes repeated requests (an idempotency
  /// key), and clear it if they do something twice all the same.
  ///
  /// It says nothing about a request that was certainly not processed (``HTTPResponse/wasNotProcessed``,
  /// ``AuthenticationError/Code/unreachable``): any such request may be sent once more.
  public var isIdempotent: Bool
  /// The session whose token is attached, for the client that proves each sending (RFC 9449 §7); nil for another
  /// origin. It is not sent, appears in no description, and does not count when two requests are compared.
  package var session: AuthSession?

  /// Creates a request; nothing is sent.
  ///
  /// - Parameters:
  ///   - method: such as `.get`.
  ///   - url: an absolute address.
  ///   - headers: sent as they are.
  ///   - body: the bytes to send; nil for none.
  ///   - isIdempotent: see ``isIdempotent``; by default, whether the method is.
  public init(
    _ method: HTTPMethod = .get, _ url: URL, headers: HTTPHeaders = [:], body: Data? = nil, isIdempotent: Bool? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.isIdempotent = isIdempotent ?? method.isIdempotent
  }
}

extension HTTPRequest {
  /// The former name of ``isIdempotent``.
  @available(*, deprecated, renamed: "isIdempotent")
  public var isReplayable: Bool {
    get { isIdempotent }
    set { isIdempotent = newValue }
  }

  /// Creates a request with the former name of ``isIdempotent``.
  @available(*, deprecated, renamed: "init(_:_:headers:body:isIdempotent:)")
  public init(
    _ method: HTTPMethod = .get, _ url: URL, headers: HTTPHeaders = [:], body: Data? = nil, isReplayable: Bool?
  ) {
    self.init(method, url, headers: headers, body: body, isIdempotent: isReplayable)
  }
}

extension HTTPRequest: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.method == rhs.method && lhs.url == rhs.url && lhs.headers == rhs.headers && lhs.body == rhs.body
      && lhs.isIdempotent == rhs.isIdempotent
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(url)
    hasher.combine(headers)
    hasher.combine(body)
    hasher.combine(isIdempotent)
  }
}

/// A request method; an open set.
public struct HTTPMethod: Sendable, Hashable, RawRepresentable {
  /// In the case in which it is sent: methods are compared with case (RFC 9110 §9.1).
  public let rawValue: String
  /// Any other method, usually in upper case.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Reads a resource (RFC 9110 §9.3.1).
  public static let get = Self(rawValue: "GET")
  /// Reads its header fields only (RFC 9110 §9.3.2).
  public static let head = Self(rawValue: "HEAD")
  /// Asks which methods the resource allows (RFC 9110 §9.3.7).
  public static let options = Self(rawValue: "OPTIONS")
  /// Sends the resource a body to process (RFC 9110 §9.3.3).
  public static let post = Self(rawValue: "POST")
  /// Replaces the resource (RFC 9110 §9.3.4).
  public static let put = Self(rawValue: "PUT")
  /// Changes a part of the resource (RFC 5789).
  public static let patch = Self(rawValue: "PATCH")
  /// Removes the resource (RFC 9110 §9.3.5).
  public static let delete = Self(rawValue: "DELETE")

  /// Whether it only reads (RFC 9110 §9.2.1).
  public var isSafe: Bool { self == .get || self == .head || self == .options }

  /// Whether sending it twice is meant to do the same as sending it once (RFC 9110 §9.2.2).
  public var isIdempotent: Bool { isSafe || self == .put || self == .delete || rawValue == "TRACE" }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(method.rawValue) \(url.withoutSecrets)" }
  public var customMirror: Mirror { Mirror(self, children: ["request": description, "headers": headers]) }
}

extension URL {
  /// Scheme, host and path: a query or a fragment may carry a code, and user info a password.
  package var withoutSecrets: String {
    let port = port.map { ":\($0)" } ?? ""
    return "\(scheme ?? "")://\(host() ?? "")\(port)\(path())"
  }
}
