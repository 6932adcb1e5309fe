import AuthenticationDomain
import Foundation

private struct PathLimitedHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  let path: String

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let asked = request.url.path(percentEncoded: true)
    let below = path.hasSuffix("/") ? path : path + "/"
    // What a server would read as a way up leads out of the path.
    let steps = (request.url.path(percentEncoded: false)).split(whereSeparator: { $0 == "/" || $0 == "\\" })
    guard path.isEmpty || asked == path || asked.hasPrefix(below), !steps.contains("..") || path.isEmpty else {
      throw .originNotAllowed(request)
    }
    return try await upstream.send(request)
  }
}

extension HTTPClient {
  /// Refuses requests for anything but a path and what is below it, before anything is sent.
  ///
  /// - Parameter path: as in a URL, percent-encoded; empty for all.
  package func limited(toPath path: String) -> some HTTPClient { PathLimitedHTTPClient(upstream: self, path: path) }
}
