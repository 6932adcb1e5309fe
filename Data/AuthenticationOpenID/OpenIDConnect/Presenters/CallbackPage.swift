import AuthenticationDomain

/// The page that a ``CallbackListener`` shows in a browser: fixed text, nothing from the request, and no links.
///
/// It is shown before the code is exchanged for tokens, so that it never says that a user is signed in: the app does.
struct CallbackPage: Equatable {
  let status: String
  let title: String
  let words: String
  var allowed: String?

  // The response to the sign-in that is open.
  static let received = Self(
    status: "200 OK", title: "Return to the app",
    words: "The app goes on from here, and says whether the sign-in succeeds. You can close this window.")
  static let declined = Self(
    status: "200 OK", title: "Not signed in",
    words: "The sign-in was declined. Return to the app to try again.")
  static let expired = Self(
    status: "200 OK", title: "Not signed in",
    words: "The sign-in took too long and has expired. Begin it again in the app.")
  static let refused = Self(
    status: "200 OK", title: "Not signed in",
    words: "The provider refused the sign-in. The app says why.")

  // Any other request, which has no effect.
  static let otherAttempt = Self(
    status: "400 Bad Request", title: "No sign-in is open for this",
    words: "This answers no sign-in that is open here: it has expired, or another took its place. Nothing was changed.")
  static let errorWithoutState = Self(
    status: "400 Bad Request", title: "Not signed in",
    words: "The provider refused a sign-in without saying which (it left out 'state'), so that nothing was changed. "
      + "This is the provider's fault. Return to the app, and begin again.")
  static let embedded = Self(
    status: "403 Forbidden", title: "Refused",
    words: "Only a page that a user opens is answered here. Nothing was changed.")
  static let notFound = Self(status: "404 Not Found", title: "Not found", words: "There is nothing here.")
  static let otherMethod = Self(
    status: "405 Method Not Allowed", title: "Refused", words: "Only GET is answered here.", allowed: "GET")
  static let otherHost = Self(
    status: "421 Misdirected Request", title: "Refused", words: "This is another host.")
  static let malformed = Self(
    status: "400 Bad Request", title: "Refused", words: "This is not a request that is understood here.")
  static let tooLong = Self(
    status: "431 Request Header Fields Too Large", title: "Refused", words: "The request is too long.")

  /// The page for a response with this error, or without one (RFC 6749 §4.1.2.1).
  static func telling(_ error: String?) -> Self {
    guard let error else { return received }
    return switch OAuthErrorResponseMapper.map(code: error).code {
    case .declined: declined
    case .signInExpired: expired
    default: refused
    }
  }

  /// Title and words are constants without a character that HTML escapes.
  private var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>\(title)</title></head>
    <body><h1>\(title)</h1><p>\(words)</p></body>
    </html>

    """
  }

  /// The whole HTTP response. Its headers forbid caching, scripts, framing, content sniffing and referrers.
  var bytes: [UInt8] {
    let html = html
    var lines = [
      "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(html.utf8.count)",
      "Connection: close", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'", "X-Content-Type-Options: nosniff",
    ]
    if let allowed { lines.append("Allow: \(allowed)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + html).utf8)
  }
}
