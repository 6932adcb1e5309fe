import AuthenticationTestingServers
import FlyingFox
import Foundation

extension HTTPResponse {
  /// A page, with what keeps it apart from everything else in the browser.
  static func page(_ page: HTML, status: Int = 200, policy: ContentPolicy, cookie: String? = nil) -> HTTPResponse {
    var headers = Self.headers(type: "text/html; charset=utf-8")
    headers[HTTPHeader("Content-Security-Policy")] = policy.text
    headers[.setCookie] = cookie
    return HTTPResponse(
      statusCode: HTTPStatusCode(status, phrase: ""), headers: headers,
      body: Data(HTML.document(page).markup.utf8))
  }

  static func asset(_ text: String, type: String) -> HTTPResponse {
    HTTPResponse(statusCode: .ok, headers: headers(type: "\(type); charset=utf-8"), body: Data(text.utf8))
  }

  /// To be fetched with GET (RFC 9110 §15.4.4), so that going back sends nothing again.
  static func see(_ address: String, cookie: String? = nil) -> HTTPResponse {
    var headers = Self.headers(type: "text/plain")
    headers[.location] = address
    headers[.setCookie] = cookie
    return HTTPResponse(statusCode: .seeOther, headers: headers)
  }

  static func headers(type: String) -> HTTPHeaders {
    var headers = HTTPHeaders()
    headers[.contentType] = type
    headers[.cacheControl] = "no-store"
    headers[HTTPHeader("X-Content-Type-Options")] = "nosniff"
    // With no-referrer a browser would send forms with `Origin: null`.
    headers[HTTPHeader("Referrer-Policy")] = "same-origin"
    headers[HTTPHeader("Cross-Origin-Opener-Policy")] = "same-origin"
    headers[HTTPHeader("Cross-Origin-Resource-Policy")] = "same-origin"
    headers[.connection] = "close"
    return headers
  }
}

/// What a page may load and where its forms may lead (CSP Level 3).
struct ContentPolicy: Sendable {
  /// A form that is answered with a redirect to an issuer is sent there, as far as browsers are concerned.
  var issuers: [String] = []

  var text: String {
    [
      "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self'", "connect-src 'self'",
      (["form-action 'self'"] + issuers).joined(separator: " "), "base-uri 'none'", "frame-ancestors 'none'",
      "require-trusted-types-for 'script'", "trusted-types showcase",
    ].joined(separator: "; ")
  }
}
