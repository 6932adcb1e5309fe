public import AuthenticationDomain
import Foundation

/// Sends one HTTP request and returns the response, whatever its status.
///
/// ### Choose a client
///
/// ``SystemHTTPClient`` is URLSession on Apple platforms and libcurl on Linux; a root makes two of them, for the
/// provider and for the app's API. An app calls its API through `MainRoot.apiClient`, which attaches the token.
/// Implement another client for a test, or to send requests with another library.
///
/// ### Implement a client
///
/// One call. A client follows no redirect, keeps no cookie, cache or credential, limits the time and the size of a
/// response, and sends a request that is not ``HTTPRequest/isIdempotent`` once.
///
/// ```swift
/// struct OfflineHTTPClient: HTTPClient {
///   func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse { throw .unreachable }
/// }
/// ```
///
/// ```swift
/// let offline = try MainRoot(.api(baseURL: "https://api.example.com")) { $0.providerTransport = OfflineHTTPClient() }
/// ```
///
/// ### Implement a middleware
///
/// A decorator holds one rule, and passes the request on:
///
/// ```swift
/// struct LoggingHTTPClient<Upstream: HTTPClient>: HTTPClient {
///   let upstream: Upstream
///   func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
///     let response = try await upstream.send(request)
///     log("\(request) \(response.status)")
///     return response
///   }
/// }
/// ```
///
/// The order of decorators matters, from the outside in: `authorized(by:for:throwsRefusals:)`,
/// ``followRedirects(limit:)``, ``retrying(_:longestWait:backoff:clock:)``, ``proving(with:)``, the transport. Place a
/// decorator that adds a header outside of all of them, as `MainRoot.Options.apiDecorator` does: below
/// ``followRedirects(limit:)`` it would add the header to a request to another origin.
///
/// ### Errors
///
/// A client throws if there is no response, and never for a status:
///
/// | error | the server |
/// |---|---|
/// | ``AuthenticationError/unreachable`` | has not seen the request: it may be sent again |
/// | ``AuthenticationError/connectionLost``, ``AuthenticationError/timedOut`` | may have processed it |
/// | ``AuthenticationError/responseTooLarge`` | has processed it, perhaps |
/// | ``AuthenticationError/insecureConnection`` | is not trusted |
/// | ``AuthenticationError/invalidRequest`` | was not asked: the request cannot be sent |
/// | ``AuthenticationError/cancelled`` | may have processed it; the task was cancelled |
///
/// A decorator adds the errors that it documents, such as ``AuthenticationError/originNotAllowed``. No error quotes a
/// URL's query, a header or a body.
///
/// ### Concurrency
///
/// A client is `Sendable`; any number of calls may run concurrently, from any executor. A call of a cancelled task
/// throws ``AuthenticationError/cancelled`` without waiting for the response.
public protocol HTTPClient: Sendable {
  /// Sends the request, and returns when the whole body has arrived.
  ///
  /// - Parameter request: the request, with every header that is to be sent.
  /// - Returns: the response, of any status.
  /// - Throws: ``AuthenticationError`` if there is no response.
  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse
}

/// A client that sends a request as it is: an HTTP library, or a fake of one.
///
/// A decorator is none, so that it cannot stand below the client that follows redirects, where a header that it adds
/// would be sent to another origin.
///
/// ```swift
/// struct OtherLibraryTransport: HTTPTransport {
///   func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse { throw .unreachable }
/// }
/// ```
public protocol HTTPTransport: HTTPClient {}

/// Refuses a response that is larger than any document or token response of a provider, whatever the transport allows.
struct BoundedHTTPClient: HTTPClient {
  let upstream: any HTTPClient

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let (response, limit) = (try await upstream.send(request), SystemHTTPClient.providerLimit)
    guard response.body.count <= limit else { throw .responseTooLarge(limit) }
    return response
  }
}

/// How long an exchange may take, and how large its response may be.
struct HTTPLimits: Sendable {
  /// From the call to the last byte received.
  var deadline: Duration
  /// Until a connection is established, TLS included.
  var connecting: Duration
  /// How long no byte may arrive or leave.
  var silence: Duration
  /// The size of a body after decoding, in bytes.
  var maximumBodySize: Int
}

extension Duration {
  /// Rounded up, and limited to the range from 1 to the largest value of a 32-bit C `long`.
  var milliseconds: Int { Int((self / .milliseconds(1)).rounded(.up).clamped(1, 2_147_483_647)) }
  var wholeSeconds: Int { Int((self / .seconds(1)).rounded(.up).clamped(1, 2_147_483)) }
}

extension Double {
  fileprivate func clamped(_ lowest: Double, _ highest: Double) -> Double { min(max(self, lowest), highest) }
}

private struct RetryingHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  let retries: Int
  let longestWait: Duration
  let backoff: Backoff
  let clock: any AuthenticationClock

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    var request = request
    for attempt in 0..<retries {
      let wait: Duration
      do throws(AuthenticationError) {
        let response = try await upstream.send(request)
        guard request.isIdempotent, [429, 502, 503, 504].contains(response.status) else { return response }
        let asked = response.retryAfter(now: clock.now)
        if let asked, asked > longestWait { return response }
        wait = asked ?? backoff.delay(attempt: attempt)
      } catch {
        let isAmbiguous = error == .connectionLost || error == .timedOut
        guard
          error == .unreachable && !error.isProxyRefusal || isAmbiguous && request.isIdempotent && !error.isOfRepeat
        else { throw error }
        // A repeat that fails is not repeated (RFC 9110 §9.2.2).
        if isAmbiguous { request.isIdempotent = false }
        wait = backoff.delay(attempt: attempt)
      }
      do { try await clock.sleep(for: wait) } catch { throw .cancelled }
    }
    return try await upstream.send(request)
  }
}

extension HTTPClient {
  /// Retries requests that may succeed later, with exponential backoff and full jitter, or as `Retry-After` says.
  ///
  /// A request that the server may have processed is sent again only if it is ``HTTPRequest/isIdempotent``, and once if
  /// its connection was lost or it timed out (RFC 9110 §9.2.2); one that never reached the server may always be sent
  /// again. Place it next to the transport, with only ``proving(with:)`` in between: around a client that follows
  /// redirects or refreshes tokens, it would repeat the work of that client. If a server asks for a longer wait than
  /// `longestWait`, its response is returned.
  ///
  /// - Parameters:
  ///   - retries: the number of further tries after the first; a negative number counts as zero.
  ///   - longestWait: the longest wait before one retry that a server may ask for.
  ///   - backoff: how long to wait if the server asks for nothing.
  ///   - clock: the time; replace it in a test.
  public func retrying(
    _ retries: Int = 2, longestWait: Duration = .seconds(30), backoff: Backoff = Backoff(base: .milliseconds(500)),
    clock: any AuthenticationClock = SystemClock()
  ) -> some HTTPClient {
    RetryingHTTPClient(
      upstream: self, retries: max(retries, 0), longestWait: longestWait, backoff: backoff, clock: clock)
  }
}

private struct RedirectingHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  let limit: Int

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    var request = request
    var response = try await upstream.send(request)
    for _ in 0..<limit {
      guard let next = request.redirected(by: response) else { return response }
      let leaves = response.isFromOtherOrigin || Origin(next.url) != Origin(request.url)
      let isProcessed = response.isAfterProcessing || response.status == 303
      request = next
      response = try await upstream.send(request)
      (response.isFromOtherOrigin, response.isAfterProcessing) = (leaves, isProcessed)
    }
    return response
  }
}

extension HTTPClient {
  /// Follows redirects without sending a credential to another origin (RFC 9110 §15.4): only header fields that cannot
  /// contain one are sent there, and no body.
  ///
  /// 303 becomes a GET. 301 and 302 repeat a safe request, 307 and 308 any request; to another origin, only a safe one
  /// without a body is repeated. Every other redirect, and one from https to http, also to this machine, is returned as
  /// the response.
  ///
  /// - Parameter limit: the number of redirects followed in one call; the next one is returned as the response.
  public func followRedirects(limit: Int = 5) -> some HTTPClient { RedirectingHTTPClient(upstream: self, limit: limit) }
}

extension HTTPRequest {
  fileprivate func redirected(by response: HTTPResponse) -> HTTPRequest? {
    guard let location = response.headers["Location"], let target = URL(string: location, relativeTo: url),
      let origin = Origin(url), let targetOrigin = Origin(target.absoluteURL),
      targetOrigin.scheme == "https" || origin.scheme == "http" && targetOrigin.isSecure == origin.isSecure
    else { return nil }
    let isSameOrigin = origin == targetOrigin
    var next = self
    next.url = target.absoluteURL
    switch response.status {
    case 301, 302: guard method.isSafe else { return nil }
    case 303:
      next.method = method == .head ? .head : .get
      next.body = nil
      next.isIdempotent = true
      for name in ["Content-Type", "Content-Length"] { next.headers[name] = nil }
    case 307, 308: guard method.isSafe || isSameOrigin else { return nil }
    default: return nil
    }
    if !isSameOrigin {
      guard next.body?.isEmpty ?? true else { return nil }
      next.headers.removeAll { !$0.isPublicField }
      next.session = nil
    }
    return next
  }
}

extension String {
  /// Any other field may contain a credential, under a name that the app chose.
  fileprivate var isPublicField: Bool {
    ["Accept", "Accept-Language", "Accept-Encoding", "User-Agent", "Range"].contains(where: equalsIgnoringCase)
  }
}

/// The proof that a request carries besides the `Authorization` header if its token is bound to a key (RFC 9449).
///
/// ### Choose a proof
///
/// A provider that binds its tokens returns one with its product; ``HTTPClient/proving(with:)`` adds it to each
/// request, and `MainRoot.proof` has it for another HTTP client. `OpenIDClient.bindsTokens` turns on DPoP. Write a
/// proof only for a custom provider with another scheme, and pass it to
/// ``AuthProviderConfiguration/custom(_:name:realm:allowedOrigins:proof:)``.
///
/// ### Implement a proof
///
/// A proof is valid for one method, one URL and one sending: make a new one for each retry and each redirect, and clear
/// ``HTTPRequest/isIdempotent``, so that no transport repeats the request. Leave the request of a session without a key
/// unchanged.
///
/// ```swift
/// struct SignedProof: RequestProof {
///   let sign: @Sendable (_ text: String, _ key: Secret) throws(AuthenticationError) -> String
///
///   func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError) {
///     guard let key = session.tokens.proofKey else { return }
///     request.headers["Proof"] = try sign("\(request.method.rawValue) \(request.url.absoluteString)", key)
///     request.isIdempotent = false
///   }
///   func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool { false }
/// }
/// ```
///
/// A scheme with nonces remembers the nonce of each response, successful or not, by the origin of the request.
///
/// ### Errors
///
/// An error of ``prove(_:for:)`` reaches the caller, and the request is not sent.
///
/// ### Concurrency
///
/// The calls are synchronous and may overlap: keep the nonces of servers behind a lock. Both are called while a request
/// is sent, from any executor.
public protocol RequestProof: Sendable {
  /// Adds the proof for this request to its headers.
  ///
  /// - Throws: if the session's key cannot be used.
  func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError)

  /// Reads the nonce of the response, if there is one.
  ///
  /// - Returns: whether the request, which was not processed, must be sent once more with a new proof.
  func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool
}

private struct ProvingHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  let proof: (any RequestProof)?

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    guard let proof, let session = request.authorizingSession else { return try await upstream.send(request) }
    let first = try request.proved(by: proof, for: session)
    let response = try await upstream.send(first)
    guard !response.isFromOtherOrigin, proof.asksAgain(response, to: first) else { return response }
    let second = try request.proved(by: proof, for: session)
    let final = try await upstream.send(second)
    if !final.isFromOtherOrigin { _ = proof.asksAgain(final, to: second) }
    return final
  }
}

extension HTTPClient {
  /// Adds a proof each time a request with a session's token is sent, if the token is bound to a key (RFC 9449 §7).
  ///
  /// Place it next to the transport: a proof is valid for one method, one URL and one sending (§4.3, §11.1), so that
  /// every retry and redirect needs a new one. A server that asks for a nonce has not processed the request; the
  /// request is sent once more, whatever its method (§9). Other requests, and redirects to another origin, carry no
  /// proof.
  ///
  /// - Parameter proof: the provider's; nil for bearer tokens, which need none.
  public func proving(with proof: (any RequestProof)?) -> some HTTPClient {
    ProvingHTTPClient(upstream: self, proof: proof)
  }
}

extension HTTPRequest {
  /// The session, if the request is still authorized with its token.
  fileprivate var authorizingSession: AuthSession? {
    guard let session, headers["Authorization"] == session.authorization.reveal() else { return nil }
    return session
  }

  /// Also removes a proof that the caller attached: it cannot belong to this sending.
  fileprivate func proved(
    by proof: any RequestProof, for session: AuthSession
  ) throws(AuthenticationError) -> HTTPRequest {
    var proved = self
    proved.headers["DPoP"] = nil
    try proof.prove(&proved, for: session)
    return proved
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
  /// Refuses requests that the limit excludes, before anything is sent.
  package func limited(to limit: PathLimit) -> some HTTPClient { PathLimitedHTTPClient(upstream: self, limit: limit) }
}

/// Has each response know its request; changes nothing else.
struct RememberingHTTPClient: HTTPClient {
  let upstream: any HTTPClient

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    var response = try await upstream.send(request)
    response.request = request
    return response
  }
}
