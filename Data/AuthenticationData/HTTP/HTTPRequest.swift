package import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An HTTP request as a value (RFC 9110). Its texts show neither the query, nor header values, nor the body.
public struct HTTPRequest: Sendable {
  /// What is asked of the resource (RFC 9110 §9).
  public var method: HTTPMethod
  /// Absolute: https, or http to this machine.
  public var url: URL
  /// Sent as they are; a line break in one is refused before anything is sent.
  public var headers: HTTPHeaders
  /// The bytes to send; nil sends none.
  public var body: Data?
  /// Whether it may be sent twice. True for the safe methods (RFC 9110 §9.2.1); set it where the server tells
  /// repeated requests apart (an idempotency key).
  public var isReplayable: Bool
  /// Whose token is attached, for whoever proves each sending of it (RFC 9449 §7); nil on the way to another origin.
  /// Not sent, in none of its texts, and no part of what makes two requests equal.
  package var session: AuthSession?

  /// A request as a value; nothing is sent.
  ///
  /// - Parameter isReplayable: by default, whether the method is safe.
  public init(
    _ method: HTTPMethod = .get, _ url: URL, headers: HTTPHeaders = [:], body: Data? = nil, isReplayable: Bool? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.isReplayable = isReplayable ?? method.isSafe
  }
}

extension HTTPRequest: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.method == rhs.method && lhs.url == rhs.url && lhs.headers == rhs.headers && lhs.body == rhs.body
      && lhs.isReplayable == rhs.isReplayable
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(url)
    hasher.combine(headers)
    hasher.combine(body)
    hasher.combine(isReplayable)
  }
}

/// A request method; an open set.
public struct HTTPMethod: Sendable, Hashable, RawRepresentable {
  /// In the case it is sent in: methods compare with case (RFC 9110 §9.1).
  public let rawValue: String
  /// Any other method, in upper case as a rule.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Reads a resource (RFC 9110 §9.3.1).
  public static let get = Self(rawValue: "GET")
  /// Reads its header fields only (RFC 9110 §9.3.2).
  public static let head = Self(rawValue: "HEAD")
  /// Asks what the resource allows (RFC 9110 §9.3.7).
  public static let options = Self(rawValue: "OPTIONS")
  /// Hands the resource a body to process (RFC 9110 §9.3.3).
  public static let post = Self(rawValue: "POST")
  /// Replaces the resource (RFC 9110 §9.3.4).
  public static let put = Self(rawValue: "PUT")
  /// Changes a part of the resource (RFC 5789).
  public static let patch = Self(rawValue: "PATCH")
  /// Removes the resource (RFC 9110 §9.3.5).
  public static let delete = Self(rawValue: "DELETE")

  /// Whether it only reads (RFC 9110 §9.2.1): then it may be sent twice.
  public var isSafe: Bool { self == .get || self == .head || self == .options }
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
