import AuthenticationKit
import AuthenticationTestingServers
import AuthCTLCommands
import Foundation

/// The browsers that have opened the showcase, each with a cookie and a token for its forms.
@MainActor
final class Visitors {
  static let capacity = 1_000

  private var visitors: [String: Visitor] = [:]
  private var visits = 0
  private let cookieName: String

  /// - Parameter port: in the cookie's name, since ports do not separate cookies.
  init(port: UInt16) { cookieName = "showcase-\(port)" }

  var isEmpty: Bool { visitors.isEmpty }

  /// Nil for a browser that was not here.
  func known(by request: Received) -> Visitor? {
    guard let visitor = request.cookie(cookieName).flatMap({ visitors[$0] }) else { return nil }
    note(visitor)
    return visitor
  }

  /// An endless number of visits fills no memory: of more than ``capacity`` browsers the one that was here longest ago
  /// is forgotten.
  func welcome() -> Visitor {
    if visitors.count >= Self.capacity, let oldest = visitors.values.min(by: { $0.lastVisit < $1.lastVisit }) {
      visitors[oldest.id] = nil
    }
    let visitor = Visitor()
    visitors[visitor.id] = visitor
    note(visitor)
    return visitor
  }

  private func note(_ visitor: Visitor) {
    visits += 1
    visitor.lastVisit = visits
  }

  func cookie(of visitor: Visitor) -> String { "\(cookieName)=\(visitor.id); Path=/; HttpOnly; SameSite=Lax" }
}

/// One browser.
@MainActor
final class Visitor {
  let id = Visitor.random()
  /// In each of its forms.
  let token = Visitor.random()
  /// Of all visits, which was its latest.
  fileprivate(set) var lastVisit = 0
  private var used: Set<String> = []

  /// Whether a form is this browser's own.
  func owns(_ form: FormFields) -> Bool { Self.isEqual(form["token"], token) }

  /// True once for each form that was drawn: a double click, and a form that the browser sends again, do nothing.
  func use(_ form: FormFields) -> Bool {
    let id = form["form"]
    guard id.count == Self.length else { return false }
    return used.insert(id).inserted
  }

  nonisolated static func random() -> String {
    Data(AuthProviderConfiguration.Environment.systemRandomBytes(length / 4 * 3)).base64URL
  }

  /// As long as the token of the page's script.
  private nonisolated static let length = 32

  /// In a time that does not tell how much of it was right.
  private static func isEqual(_ given: String, _ expected: String) -> Bool {
    let (given, expected) = (Array(given.utf8), Array(expected.utf8))
    guard given.count == expected.count else { return false }
    return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// One tab that is open: it is sent a whole snapshot whenever there is something else to see.
@MainActor
final class Tab {
  private let showcase: Showcase
  private let place: Place
  private let visitor: Visitor
  private var sent: [String: String] = [:]
  private var said: String?
  private var number = 0

  init(_ showcase: Showcase, at place: Place, of visitor: Visitor) {
    self.showcase = showcase
    self.place = place
    self.visitor = visitor
  }

  /// Ends when the browser has left, or the showcase stops.
  func events() -> AsyncStream<String> {
    let (events, event) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(8))
    let changes = showcase.changes()
    let work = Task {
      for await _ in changes { if let snapshot = snapshot() { event.yield(snapshot) } }
      event.finish()
    }
    // Of a code that is about to expire is said without any other change.
    let ticking = Task {
      for second in 1... {
        try await Task.sleep(for: .seconds(1))
        if let snapshot = snapshot() { event.yield(snapshot) }
        if second.isMultiple(of: 15) { event.yield(EventStream.keepAlive) }
      }
    }
    event.onTermination = { _ in
      work.cancel()
      ticking.cancel()
    }
    return events
  }

  /// Nil if the tab shows all of it.
  private func snapshot() -> String? {
    let scene = showcase.scene(at: place, for: visitor)
    let versions = scene.versions()
    let status = scene.status
    guard versions != sent || status != said else { return nil }
    (sent, said) = (versions, status)
    number += 1
    let regions = scene.regions.reduce(into: [:] as [String: JSONObject]) {
      $0[$1.id] = ["version": versions[$1.id], "html": $1.part.markup]
    }
    return EventStream.event(
      "snapshot", id: number,
      ["title": scene.title, "step": scene.shown.step, "status": status, "regions": regions])
  }
}
