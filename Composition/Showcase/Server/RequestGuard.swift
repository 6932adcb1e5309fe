/// Refuses requests that did not come from a page of this server: those for another host (DNS rebinding), and forms
/// that a page elsewhere has sent. Ports separate neither cookies nor sites, so that each is checked by itself.
struct RequestGuard: Sendable {
  /// More than any form here holds.
  static let longestBody = 65_536
  static let callback = "/callback"

  let port: UInt16

  /// Where the pages are: passkeys refuse an address that is a number.
  var origin: String { "http://localhost:\(port)" }
  /// Where the issuer's page leads back to (RFC 8252 §7.3).
  var redirectAddress: String { "http://127.0.0.1:\(port)\(Self.callback)" }

  /// Why a request gets no page; nil if it gets one.
  func refusal(of request: Received) -> Refusal? {
    let host = request.headers["host"]
    if request.path == Self.callback, request.method == "GET", host == "127.0.0.1:\(port)" { return nil }
    guard host == "localhost:\(port)" else { return .otherHost }
    switch request.method {
    case "GET": return nil
    case "POST": return refusal(ofForm: request)
    default: return .unknownMethod
    }
  }

  private func refusal(ofForm request: Received) -> Refusal? {
    guard request.headers["origin"] == origin else { return .otherOrigin }
    let site = request.headers["sec-fetch-site"]
    guard site == nil || site == "same-origin" else { return .otherOrigin }
    let type = request.headers["content-type"]?.prefix { $0 != ";" }.lowercased()
    guard type == "application/x-www-form-urlencoded" else { return .notAForm }
    guard let length = request.headers["content-length"].flatMap(Int.init) else { return .notAForm }
    return length <= Self.longestBody ? nil : .tooLong
  }
}

/// Why the showcase refuses a request.
struct Refusal: Sendable, Equatable {
  let status: Int
  /// The fault, and the remedy.
  let sentence: String

  static let otherHost = Self(
    status: 421, sentence: "This server answers only at its own address. Open the one that the command has printed.")
  static let otherOrigin = Self(
    status: 403,
    sentence: "This form came from another page, so nothing was done. Open the showcase and try again there.")
  static let unknownMethod = Self(
    status: 405, sentence: "This page takes no such request. Open it in a browser.")
  static let notAForm = Self(
    status: 400,
    sentence: "This was not a form of the showcase, so nothing was done. Open the showcase and try again there.")
  static let tooLong = Self(
    status: 413,
    sentence: "That is more than a form of the showcase takes, so nothing was sent. Go back and shorten it.")
  static let otherSession = Self(
    status: 403,
    sentence: "This form belongs to another session, so nothing was done. Reload the page and try again.")
  static let notFound = Self(status: 404, sentence: "There is no such page. Go back to the showcase.")
}
