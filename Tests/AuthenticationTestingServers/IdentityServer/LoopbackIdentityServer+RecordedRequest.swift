#if Tools
public import Foundation

extension LoopbackIdentityServer {
  /// A request as it arrived. Its description shows neither headers nor the body.
  public struct RecordedRequest: Sendable, Hashable, CustomStringConvertible {
    /// As it arrived, in the case it was sent in.
    public let method: String
    /// Without the query.
    public let path: String
    /// As it arrived, without the question mark; empty when there is none.
    public let query: String
    /// Names in lower case; of a repeated header the last value.
    public let headers: [String: String]
    /// As it arrived; empty where there was none.
    public let body: Data

    package init(method: String, path: String, query: String, headers: [String: String], body: Data) {
      (self.method, self.path, self.query) = (method, path, query)
      (self.headers, self.body) = (headers, body)
    }

    /// The header of this name in any case.
    public func header(_ name: String) -> String? {
      headers[name.lowercased()]
    }

    /// The method, the path, and how long the body is.
    public var description: String { "\(method) \(path), \(body.count) bytes" }
  }
}

extension LoopbackIdentityServer.RecordedRequest {
  /// The token of an `Authorization: Bearer` header (RFC 6750 §2.1).
  package var bearerToken: String? {
    let parts = header("Authorization")?.split(separator: " ", maxSplits: 1) ?? []
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }
}
#endif
