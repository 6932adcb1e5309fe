/// What a browser is shown by a ``CallbackListener``: fixed words, nothing of the request, and nowhere to go on to.
struct CallbackPage: Equatable {
  let status: String
  let words: String
  var allowed: String?

  static let received = Self(status: "200 OK", words: "You can close this window and return to the app.")
  static let notFound = Self(status: "404 Not Found", words: "There is nothing here.")
  static let otherMethod = Self(status: "405 Method Not Allowed", words: "Only GET is answered here.", allowed: "GET")
  static let otherHost = Self(status: "421 Misdirected Request", words: "This is another host.")
  static let malformed = Self(status: "400 Bad Request", words: "This is not a request that is understood here.")
  static let tooLong = Self(status: "431 Request Header Fields Too Large", words: "The request is too long.")

  /// The whole answer. Nothing of it may be kept, run, framed, guessed at, or named to another site.
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
