#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An HTTP request as a value (RFC 9110). Its texts show neither the query, nor header values, nor the body.
public struct HTTPRequest: Sendable, Hashable {
  public var method: HTTPMethod
  public var url: URL
  public var headers: HTTPHeaders
  public var body: Data?
  /// Whether it may be sent twice. True for the safe methods (RFC 9110 §9.2.1); set it where the server tells
  /// repeated requests apart (an idempotency key).
  public var isReplayable: Bool

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

/// A request method; an open set.
public struct HTTPMethod: Sendable, Hashable, RawRepresentable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let get = Self(rawValue: "GET")
  public static let head = Self(rawValue: "HEAD")
  public static let options = Self(rawValue: "OPTIONS")
  public static let post = Self(rawValue: "POST")
  public static let put = Self(rawValue: "PUT")
  public static let patch = Self(rawValue: "PATCH")
  public static let delete = Self(rawValue: "DELETE")

  public var isSafe: Bool { self == .get || self == .head || self == .options }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(method.rawValue) \(url.withoutSecrets)" }
  public var customMirror: Mirror { Mirror(self, children: ["request": description, "headers": headers]) }
}

extension URL {
  /// Scheme, host and path: a query or a fragment may carry a code, and user info a password.
  public var withoutSecrets: String {
    let port = port.map { ":\($0)" } ?? ""
    return "\(scheme ?? "")://\(host() ?? "")\(port)\(path())"
  }
}
