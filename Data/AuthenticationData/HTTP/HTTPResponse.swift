#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An HTTP response as a value (RFC 9110). Its texts show neither header values nor the body.
public struct HTTPResponse: Sendable, Hashable {
  public let status: Int
  public let headers: HTTPHeaders
  public let body: Data
  /// True where a redirect led to another origin, which was sent no credentials.
  public var isFromOtherOrigin = false

  public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  public var isSuccess: Bool { (200...299).contains(status) }

  /// Whether the body claims to be JSON (`application/json`, or a `+json` type of RFC 6839 §3.1).
  public var isJSON: Bool {
    guard let field = headers["Content-Type"] else { return false }
    // What nearly every server writes, without taking it apart.
    if field == "application/json" || field.hasPrefix("application/json;") { return true }
    guard let type = field.split(separator: ";").first else { return false }
    let name = type.filter { !$0.isWhitespace }.lowercased()
    return name == "application/json" || name.hasSuffix("+json")
  }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
  public var description: String { "HTTP \(status), \(body.count) bytes" }
  public var customMirror: Mirror { Mirror(self, children: ["response": description, "headers": headers]) }
}
