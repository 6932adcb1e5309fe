public import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Follows redirects without sending a credential to another origin (RFC 9110 §15.4): only header fields that cannot
/// contain one are sent there, and no body.
///
/// 303 becomes a GET. 301 and 302 repeat a safe request, 307 and 308 any request; to another origin, only a safe one
/// without a body is repeated. Every other redirect, and one from https to http, also to this machine, is returned as the
/// response.
public struct RedirectingHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  let limit: Int

  public func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
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
  /// Follows redirects as ``RedirectingHTTPClient`` describes (RFC 9110 §15.4).
  ///
  /// - Parameter limit: the number of redirects followed in one call; the next one is returned as the response.
  public func followRedirects(limit: Int = 5) -> RedirectingHTTPClient<Self> {
    RedirectingHTTPClient(upstream: self, limit: limit)
  }
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
    case 301, 302:
      guard method.isSafe else { return nil }
    case 303:
      next.method = method == .head ? .head : .get
      next.body = nil
      next.isIdempotent = true
      for name in ["Content-Type", "Content-Length"] { next.headers[name] = nil }
    case 307, 308:
      guard method.isSafe || isSameOrigin else { return nil }
    default:
      return nil
    }
    if !isSameOrigin {
      guard next.body?.isEmpty ?? true else { return nil }
      next.headers.removeAll { !$0.isPublic }
      next.session = nil
    }
    return next
  }
}

extension HTTPHeaders.Field {
  /// Any other field may contain a credential, under a name that the app chose.
  fileprivate var isPublic: Bool {
    ["Accept", "Accept-Language", "Accept-Encoding", "User-Agent", "Range"].contains { name.equalsIgnoringCase($0) }
  }
}
