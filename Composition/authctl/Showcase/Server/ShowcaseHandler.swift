import AuthenticationTesting
import FlyingFox
import Foundation

/// Answers the requests of browsers.
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
      await showcase.product.settle()
      return .see(guarding.origin + "/")
    case ("GET", "/showcase.css"): return .asset(Stylesheet.text, type: "text/css")
    case ("GET", "/showcase.js"): return .asset(Script.text, type: "text/javascript")
    case ("GET", "/showcase.svg"): return .asset(Icon.text, type: "image/svg+xml")
    case ("GET", StatesPage.path): return await states(received.query["of"])
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
    if showcase.product.isBusy { await showcase.product.settle() }
    return .page(
      showcase.scene(at: place, for: visitor).document, policy: policy,
      cookie: known == nil ? showcase.visitors.cookie(of: visitor) : nil)
  }

  /// One intent, then another page.
  @MainActor
  private func act(_ request: Received, _ form: FormFields) async -> HTTPResponse {
    guard let visitor = showcase.visitors.known(by: request), visitor.owns(form) else { return refused(.otherSession) }
    let place = Place(rawValue: form["page"]) ?? .home
    guard visitor.use(form) else { return .see(place.rawValue) }
    let next = await showcase.product.perform(Intent(form["intent"]), form, at: place)
    await showcase.product.settle()
    return .see(showcase.product.takePage()?.absoluteString ?? next.rawValue)
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
    if number.isEmpty { return .page(StatesPage(presets: presets).document, policy: policy) }
    guard let index = Int(number), presets.indices.contains(index) else { return refused(.notFound) }
    return .page(StatePage(preset: presets[index], scene: showcase.stillScene).document, policy: policy)
  }

  @MainActor
  private func refused(_ refusal: Refusal) -> HTTPResponse {
    .page(RefusalPage(refusal).document, status: refusal.status, policy: ContentPolicy())
  }

  @MainActor
  private var policy: ContentPolicy { ContentPolicy(issuers: showcase.world.issuerOrigins) }

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
