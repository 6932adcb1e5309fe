public import AuthenticationDomain
#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Authorizes a `URLRequest` for an app that sends it with a client of its own.
///
/// After a 401, ask again with `rejecting:` and the token that was refused, and send the result once.
public struct URLRequestAuthorizer<Source: SessionSource>: Sendable {
  private let source: Source
  private let allowedOrigins: Set<Origin>

  public init(source: Source, allowedOrigins: Set<Origin>) {
    self.source = source
    self.allowedOrigins = allowedOrigins
  }

  /// The request with a valid token. Throws ``AuthenticationError/Code/originNotAllowed`` for any other origin.
  public func authorized(
    _ request: URLRequest, rejecting rejected: AccessToken? = nil
  ) async throws(AuthenticationError) -> URLRequest {
    guard let url = request.url, allowedOrigins.contains(where: { $0.contains(url) }) else {
      throw .originNotAllowed(HTTPRequest(.get, request.url ?? URL(fileURLWithPath: "/")))
    }
    let session = try await source.validSession(rejecting: rejected)
    var request = request
    // Assigning all fields at once is ten times cheaper than setting one on Linux; the token's characters are known
    // to be good since it was received.
    var fields = request.allHTTPHeaderFields ?? [:]
    fields["Authorization"] = session.accessToken.authorization.reveal()
    request.allHTTPHeaderFields = fields
    return request
  }
}
