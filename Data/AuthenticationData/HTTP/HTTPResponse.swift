#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An HTTP response as a value (RFC 9110). Its descriptions show neither header values nor the body.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code (RFC 9110 §15).
  public let status: Int
  /// As received; repeated fields may have been joined with commas (RFC 9110 §5.3).
  public let headers: HTTPHeaders
  /// The whole body, decoded from any content coding; empty where there was none.
  public let body: Data
  /// True if a redirect led to another origin, to which no credentials were sent.
  package var isFromOtherOrigin = false
  /// True if a redirect with 303 led here: the request that the caller sent has been processed (RFC 9110 §15.4.4).
  package var isAfterProcessing = false

  /// Creates a response: for a client of your own, and for tests.
  public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Whether the status is 2xx (RFC 9110 §15.3).
  public var isSuccess: Bool { (200...299).contains(status) }

  /// Whether the body claims to be JSON (`application/json`, or a `+json` type of RFC 6839 §3.1).
  public var isJSON: Bool {
    guard let field = headers["Content-Type"] else { return false }
    // The fast path: nearly every server sends one of these two forms.
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
