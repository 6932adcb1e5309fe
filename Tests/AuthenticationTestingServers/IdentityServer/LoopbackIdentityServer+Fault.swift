#if Tools
public import Foundation

extension LoopbackIdentityServer {
  /// A way for an endpoint to misbehave.
  public enum Fault: Sendable, Hashable {
    // MARK: The request is not processed; something else responds.

    /// A response of this status; `retryAfter` in seconds.
    case status(Int, retryAfter: Int? = nil)
    /// 200 with an HTML page, as from a captive portal.
    case html
    /// 200 without a body.
    case empty
    /// 200 with JSON of this many bytes.
    case huge(bytes: Int = 10_000_000)
    /// No response; once the fault is cleared or the server stops, the connection is cut.
    case hang
    /// 401 that challenges with `Basic`, and a JSON body.
    case basicChallenge
    /// A redirect of this status to this URL, without a body.
    case redirect(to: URL, status: Int = 307)

    // MARK: The request is processed, and its response is spoiled.

    /// The first half of the JSON, in a complete HTTP message.
    case truncatedJSON
    /// The first array of the JSON has the first half of its elements, and a `next` page follows it.
    case firstPage
    /// The connection is cut before the first byte of the response.
    case dropAfterProcessing
    /// The response comes this much real time later.
    case slow(Duration)
    /// The response sets a cookie.
    case setCookie
    /// The response has this JSON text in place of the number `expiresIn`, or no such field.
    case expiresIn(String?)
  }
}
#endif
