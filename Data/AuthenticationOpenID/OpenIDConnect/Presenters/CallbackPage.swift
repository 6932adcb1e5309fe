import AuthenticationDomain

/// The page that a ``CallbackListener`` shows in a browser: fixed text, nothing from the request, and no links.
struct CallbackPage: Equatable {
  let status: String
  let words: String
  var allowed: String?

  // The response to the sign-in that is open.
  static let received = Self(status: "200 OK", words: "You can close this window and return to the app.")
  static let declined = Self(
    status: "200 OK", words: "The sign-in was declined, and nobody was signed in. Return to the app to try again.")
  static let expired = Self(
    status: "200 OK", words: "The sign-in took too long and has expired. Begin it again in the app.")
  static let refused = Self(
    status: "200 OK", words: "The provider refused the sign-in, and nobody was signed in. The app says why.")

  // Any other request, which has no effect.
  static let otherAttempt = Self(
    status: "400 Bad Request",
    words: "This answers no sign-in that is open here: it has expired, or another took its place. Nothing was changed.")
  static let errorWithoutState = Self(
    status: "400 Bad Request",
    words: "The provider refused a sign-in without saying which (it left out 'state'), so that nothing was changed. "
      + "This is the provider's fault. Return to the app, and begin again.")
  static let embedded = Self(
    status: "403 Forbidden", words: "Only a page that a person opens is answered here. Nothing was changed.")
  static let notFound = Self(status: "404 Not Found", words: "There is nothing here.")
  static let otherMethod = Self(status: "405 Method Not Allowed", words: "Only GET is answered here.", allowed: "GET")
  static let otherHost = Self(status: "421 Misdirected Request", words: "This is another host.")
  static let malformed = Self(status: "400 Bad Request", words: "This is not a request that is understood here.")
  static let tooLong = Self(status: "431 Request Header Fields Too Large", words: "The request is too long.")

  /// The page for a response with this error, or without one (RFC 6749 §4.1.2.1).
  static func telling(_ error: String?) -> Self {
    guard let error else { return received }
    return switch OAuthErrorResponseMapper.map(code: error).code {
    case .declined: declined
    case .signInExpired: expired
    default: refused
    }
  }

  /// The whole HTTP response. Its headers forbid caching, scripts, framing, content sniffing and referrers.
  var bytes: [UInt8] {
    var lines = [
      "HTTP/1.1 \(status)", "Content-Type: text/plain; charset=utf-8", "Content-Length: \(words.utf8.count)",
      "Connection: close", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'", "X-Content-Type-Options: nosniff",
    ]
    if let allowed { lines.append("Allow: \(allowed)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + words).utf8)
  }
}
