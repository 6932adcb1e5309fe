import AuthenticationDomain
package import Foundation

/// Where a token may be sent at some origins: one path, and what is below it. Other origins are not its concern.
package struct PathLimit: Sendable {
  private let path: String
  private let origins: Set<Origin>

  /// - Parameter path: as in a URL, percent-encoded; empty for all.
  package init(_ path: String, at origins: Set<Origin>) { (self.path, self.origins) = (path, origins) }

  package func allows(_ url: URL) -> Bool {
    guard !path.isEmpty, let origin = Origin(url), origins.contains(origin) else { return true }
    let asked = url.path(percentEncoded: true)
    // What a server would read as a way up leads out of the path, also with a parameter (RFC 3986 §3.3).
    let segments = url.path(percentEncoded: false).split(whereSeparator: { $0 == "/" || $0 == "\\" })
    guard !segments.contains(where: { $0.prefix { $0 != ";" } == ".." }) else { return false }
    return asked == path || asked.hasPrefix(path.hasSuffix("/") ? path : path + "/")
  }
}

private struct PathLimitedHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  let limit: PathLimit

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    guard limit.allows(request.url) else { throw .originNotAllowed(request) }
    return try await upstream.send(request)
  }
}

extension HTTPClient {
  /// Refuses requests for what the limit excludes, before anything is sent.
  package func limited(to limit: PathLimit) -> some HTTPClient { PathLimitedHTTPClient(upstream: self, limit: limit) }
}
