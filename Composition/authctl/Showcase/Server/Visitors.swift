import AuthenticationKit
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

  /// An endless number of visits fills no memory: of more than ``capacity`` browsers the one that was here longest ago is
  /// forgotten.
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
    AuthProviderConfiguration.Environment.systemRandomBytes(length / 2).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }

  private nonisolated static let length = 32

  /// In a time that does not tell how much of it was right.
  private static func isEqual(_ given: String, _ expected: String) -> Bool {
    let (given, expected) = (Array(given.utf8), Array(expected.utf8))
    guard given.count == expected.count else { return false }
    return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
