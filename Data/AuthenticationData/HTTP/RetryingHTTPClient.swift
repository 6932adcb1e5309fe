public import AuthenticationDomain

/// Tries again what may succeed later: exponential back-off with full jitter, or as long as `Retry-After` says.
///
/// A request the server may have processed is sent again only where it is ``HTTPRequest/isReplayable``; one that never
/// reached it always may be. It stands next to the transport, above nothing but ``ProvingHTTPClient``: around a client
/// that follows redirects or renews tokens it would repeat what those have done. A server that asks for more patience
/// than `longestWait` is answered as it is.
public struct RetryingHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  let retries: Int
  let longestWait: Duration
  let backoff: Backoff
  let clock: any AuthenticationClock

  public func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    for attempt in 0..<retries {
      let wait: Duration
      do throws(AuthenticationError) {
        let response = try await upstream.send(request)
        guard request.isReplayable, [429, 502, 503, 504].contains(response.status) else { return response }
        let asked = response.retryAfter(now: clock.now)
        if let asked, asked > longestWait { return response }
        wait = asked ?? backoff.delay(attempt: attempt)
      } catch {
        let isAmbiguous = error.code == .connectionLost || error.code == .timedOut
        guard error.code == .unreachable || (isAmbiguous && request.isReplayable) else { throw error }
        wait = backoff.delay(attempt: attempt)
      }
      do { try await clock.sleep(for: wait) } catch { throw .cancelled }
    }
    return try await upstream.send(request)
  }
}

extension HTTPClient {
  /// Tries again as ``RetryingHTTPClient`` says: after 429, 502, 503, 504, and where there was no answer.
  ///
  /// - Parameters:
  ///   - retries: after the first try; a negative number counts as none.
  ///   - longestWait: before one retry, where the server asks for it.
  public func retrying(
    _ retries: Int = 2, longestWait: Duration = .seconds(30), backoff: Backoff = Backoff(base: .milliseconds(500)),
    clock: any AuthenticationClock = SystemClock()
  ) -> RetryingHTTPClient<Self> {
    RetryingHTTPClient(
      upstream: self, retries: max(retries, 0), longestWait: longestWait, backoff: backoff, clock: clock)
  }
}
