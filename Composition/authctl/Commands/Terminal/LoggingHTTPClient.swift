import AuthenticationKit

/// Tells users, with `--verbose`, which requests are made; neither query, nor headers, nor bodies.
struct LoggingHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  /// Nil where it was not asked for.
  let console: Console?

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    do {
      let response = try await upstream.send(request)
      console?.say("\(request) → \(response)")
      return response
    } catch {
      console?.say("\(request) → \(error.code)")
      throw error
    }
  }
}
