public import AuthenticationDomain

/// Retries requests that may succeed later, with exponential backoff and full jitter, or as `Retry-After` says.
///
/// A request that the server may have processed is sent again only if it is ``HTTPRequest/isIdempotent``; one that
/// never reached the server may always be sent again. Place it next to the transport, with only ``ProvingHTTPClient``
/// in between: around a client that follows redirects or refreshes tokens, it would repeat what that client did. If a
/// server asks for a longer wait than `longestWait`, its response is returned.
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
        guard request.isIdempotent, [429, 502, 503, 504].contains(response.status) else { return response }
        let asked = response.retryAfter(now: clock.now)
        if let asked, asked > longestWait { return response }
        wait = asked ?? backoff.delay(attempt: attempt)
      } catch {
        let isAmbiguous = error.code == .connectionLost || error.code == .timedOut
        guard error.code == .unreachable || (isAmbiguous && request.isIdempotent) else { throw error }
        wait = backoff.delay(attempt: attempt)
      }
      do { try await clock.sleep(for: wait) } catch { throw .cancelled }
    }
    return try await upstream.send(request)
  }
}

extension HTTPClient {
  /// Retries as ``RetryingHTTPClient`` describes: after 429, 502, 503 and 504, and if there was no response.
  ///
  /// - Parameters:
  ///   - retries: the number of further tries after the first; a negative number counts as zero.
  ///   - longestWait: the longest wait before one retry that a server may ask for.
  ///   - backoff: how long to wait if the server asks for nothing.
  ///   - clock: the time; replace it in a test.
  public func retrying(
    _ retries: Int = 2, longestWait: Duration = .seconds(30), backoff: Backoff = Backoff(base: .milliseconds(500)),
    clock: any AuthenticationClock = SystemClock()
  ) -> RetryingHTTPClient<Self> {
    RetryingHTTPClient(
      upstream: self, retries: max(retries, 0), longestWait: longestWait, backoff: backoff, clock: clock)
  }
}
