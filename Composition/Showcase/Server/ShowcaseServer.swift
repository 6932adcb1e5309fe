import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import AuthCTLCommands
import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// Serves the showcase on this machine, and to no other: on both of its loopback addresses, since a browser may take
/// either for `localhost`, and another user may listen on one that is left.
final class ShowcaseServer: Sendable {
  private let listeners = (ip4: LoopbackListener(), ip6: LoopbackListener())
  let showcase: Showcase
  let address: String

  /// Listens.
  ///
  /// - Parameter port: 0 for one that is free.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for a port that is taken.
  init(port: UInt16) async throws(AuthenticationError) {
    // The product must know its own address before it can respond.
    let door = Door()
    let taken = try await Self.listen(on: port, listeners.ip4, listeners.ip6, door)
    let guarding = RequestGuard(port: taken)
    showcase = try await Showcase(at: guarding)
    address = guarding.origin + "/"
    await door.open(ShowcaseHandler(showcase: showcase, guarding: guarding))
  }

  func stop() async {
    await showcase.stop()
    await listeners.ip4.stop()
    await listeners.ip6.stop()
  }

  /// Returns the port, which is the same at both addresses.
  private static func listen(
    on port: UInt16, _ ip4: LoopbackListener, _ ip6: LoopbackListener, _ door: Door
  ) async throws(AuthenticationError) -> UInt16 {
    // One that is free at the first address may be taken at the second.
    for _ in 0..<(port == 0 ? 16 : 1) {
      guard let taken = try? await ip4.start(port: port, handler: door) else { break }
      if (try? await ip6.startOnIPv6(port: taken, handler: door)) != nil { return taken }
      await ip4.stop()
    }
    throw .portTaken(port)
  }
}

/// Refuses requests until there is a handler.
actor Door: HTTPHandler {
  private var handler: ShowcaseHandler?

  func open(_ handler: ShowcaseHandler) { self.handler = handler }

  nonisolated func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let handler = await handler else { return HTTPResponse(statusCode: .serviceUnavailable) }
    return try await handler.handleRequest(request)
  }
}

extension AuthenticationError {
  static func portTaken(_ port: UInt16) -> Self {
    Self(
      .invalidConfiguration, "Port \(port) of this machine cannot be listened on.",
      suggestion: "Choose another --port, or none.")
  }
}

/// Responds to the requests of browsers.
struct ShowcaseHandler: HTTPHandler {
  let showcase: Showcase
  let guarding: RequestGuard

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let received = Received(request)
    if let refusal = guarding.refusal(of: received) { return await refused(refusal) }
    switch (received.method, received.path) {
    case ("GET", RequestGuard.callback):
      showcase.product.browser.receive(request.target.query(), received.query)
      await showcase.product.showBrowser()
      await showcase.product.waitForResult()
      return .see(guarding.origin + "/")
    case ("GET", "/showcase.css"): return .asset(PackageResources.showcase_css, type: "text/css")
    case ("GET", "/showcase.js"): return .asset(PackageResources.showcase_js, type: "text/javascript")
    case ("GET", "/showcase.svg"): return .asset(PackageResources.showcase_svg, type: "image/svg+xml")
    case ("GET", "/states"): return await states(received.query["of"])
    case ("GET", "/events"): return await events(received)
    case ("POST", "/do"): return await act(received, FormFields(try await text(of: request)))
    default: return await page(received)
    }
  }

  @MainActor
  private func page(_ request: Received) async -> HTTPResponse {
    guard request.method == "GET", let place = Place(rawValue: request.path) else { return refused(.notFound) }
    let isFirst = showcase.visitors.isEmpty
    let known = showcase.visitors.known(by: request)
    let visitor = known ?? showcase.visitors.welcome()
    if isFirst { showcase.product.open(inOneOf: request.languages) }
    showcase.product.open(place)
    if showcase.product.isBusy { await showcase.product.waitForResult() }
    return .page(
      showcase.scene(at: place, for: visitor).document, issuers: showcase.world.issuerOrigins,
      cookie: known == nil ? showcase.visitors.cookie(of: visitor) : nil)
  }

  /// One intent, then another page.
  @MainActor
  private func act(_ request: Received, _ form: FormFields) async -> HTTPResponse {
    guard let visitor = showcase.visitors.known(by: request), visitor.owns(form) else { return refused(.otherSession) }
    let place = Place(rawValue: form["page"]) ?? .home
    guard visitor.use(form) else { return .see(place.rawValue) }
    let next = await showcase.product.perform(Intent(form["intent"]), form, at: place)
    await showcase.product.waitForResult()
    return .see(showcase.product.browser.takePage()?.absoluteString ?? next.rawValue)
  }

  @MainActor
  private func events(_ request: Received) -> HTTPResponse {
    guard let visitor = showcase.visitors.known(by: request), let place = Place(rawValue: request.query["page"]) else {
      return refused(.otherSession)
    }
    return .events(Tab(showcase, at: place, of: visitor).events())
  }

  /// All states, or the one with this number; empty for all.
  @MainActor
  private func states(_ number: String) -> HTTPResponse {
    let presets = AnyPreset.all(in: showcase.product.words)
    if number.isEmpty { return .page(HTML.states(presets), issuers: showcase.world.issuerOrigins) }
    guard let index = Int(number), presets.indices.contains(index) else { return refused(.notFound) }
    return .page(showcase.stillScene.document(of: presets[index]), issuers: showcase.world.issuerOrigins)
  }

  @MainActor
  private func refused(_ refusal: Refusal) -> HTTPResponse {
    let page = HTML.note("Error: nothing was done", heading: "Nothing was done") { HTML("p") { refusal.sentence } }
    return .page(page, status: refusal.status)
  }

  /// The guard has seen how long it says it is.
  private func text(of request: HTTPRequest) async throws -> String {
    String(decoding: try await request.bodyData.prefix(RequestGuard.longestBody), as: UTF8.self)
  }
}

extension Received {
  /// By the browser's preference.
  var languages: [String] {
    (headers["accept-language"] ?? "").split(separator: ",").map {
      String($0.prefix { $0 != ";" }).filter { $0 != " " }
    }
  }
}

extension HTTPResponse {
  /// A page, with the policy that keeps it apart from everything else in the browser: its sources, and the targets of
  /// its forms (CSP Level 3).
  ///
  /// - Parameter issuers: a form whose response is a redirect to an issuer is sent there, as far as browsers are
  ///   concerned.
  static func page(_ page: HTML, status: Int = 200, issuers: [String] = [], cookie: String? = nil) -> HTTPResponse {
    var headers = Self.headers(type: "text/html; charset=utf-8")
    headers[HTTPHeader("Content-Security-Policy")] = [
      "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self'", "connect-src 'self'",
      (["form-action 'self'"] + issuers).joined(separator: " "), "base-uri 'none'", "frame-ancestors 'none'",
      "require-trusted-types-for 'script'", "trusted-types showcase",
    ].joined(separator: "; ")
    headers[.setCookie] = cookie
    return HTTPResponse(
      statusCode: HTTPStatusCode(status, phrase: ""), headers: headers, body: Data(HTML.document(page).markup.utf8))
  }

  static func asset(_ bytes: [UInt8], type: String) -> HTTPResponse {
    HTTPResponse(statusCode: .ok, headers: headers(type: "\(type); charset=utf-8"), body: Data(bytes))
  }

  /// To be fetched with GET (RFC 9110 §15.4.4), so that going back sends nothing again.
  static func see(_ address: String) -> HTTPResponse {
    var headers = Self.headers(type: "text/plain")
    headers[.location] = address
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

/// Server-sent events (HTML §9.2): each one a whole snapshot, so that none is missed for good.
struct EventStream: AsyncBufferedSequence {
  typealias Element = UInt8

  let events: AsyncStream<String>

  func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var events: AsyncStream<String>.Iterator

    mutating func next() async -> UInt8? { nil }

    mutating func nextBuffer(suggested count: Int) async -> [UInt8]? {
      await events.next(isolation: #isolation).map { Array($0.utf8) }
    }
  }

  /// Sent every now and then, so that a browser that has left is noticed.
  static let keepAlive = ":\n\n"

  static func event(_ name: String, id: Int, _ data: JSONObject) -> String {
    // JSON has no line breaks itself.
    "event: \(name)\nid: \(id)\ndata: \(data.line ?? "{}")\n\n"
  }
}

extension HTTPResponse {
  static func events(_ events: AsyncStream<String>) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok, headers: headers(type: "text/event-stream; charset=utf-8"),
      body: HTTPBodySequence(from: EventStream(events: events)))
  }
}

/// The part of a request that the showcase reads; the body is read only once the rest is accepted.
struct Received: Sendable {
  let method: String
  /// Without the query, as it came.
  let path: String
  let query: FormFields
  let headers: [String: String]

  init(method: String, path: String, query: String = "", headers: [String: String]) {
    self.method = method
    self.path = path
    self.query = FormFields(query)
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
  }

  init(_ request: HTTPRequest) {
    self.init(
      method: request.method.rawValue, path: request.target.path(), query: request.target.query(),
      headers: Dictionary(request.headers.map { ($0.key.rawValue, $0.value) }) { first, _ in first })
  }

  func cookie(_ name: String) -> String? {
    headers["cookie"]?.split(separator: ";").lazy.map { $0.trimmingPrefix(while: \.isWhitespace) }
      .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }
}
