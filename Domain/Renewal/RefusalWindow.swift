/// Keeps a resource that refuses every token from causing a refresh for each call.
///
/// A token that has just replaced a refused one is known to be valid at the provider: a resource that refuses it as
/// well has another reason, and another refresh would not help. For a window of 10 seconds such a refusal causes no
/// refresh; after that it causes one. If that refresh comes within the window's length after its end, the next window
/// lasts twice as long, up to 5 minutes; otherwise it lasts 10 seconds again.
struct RefusalWindow: Sendable {
  private let length: Duration
  /// The uptime from which a refusal of the current token leads to a refresh; nil if it always does.
  let endsAt: Duration?

  private init(length: Duration, endsAt: Duration?) {
    self.length = length
    self.endsAt = endsAt
  }

  /// Closed: every refusal counts.
  init() { self.init(length: .zero, endsAt: nil) }

  static let shortest: Duration = .seconds(10)
  static let longest: Duration = .seconds(300)

  /// The window of a token that has just replaced a refused one.
  func continued(at uptime: Duration) -> RefusalWindow {
    let goesOn = endsAt.map { uptime < $0 + length } ?? false
    let next = goesOn ? min(length * 2, Self.longest) : Self.shortest
    return RefusalWindow(length: next, endsAt: uptime + next)
  }
}
