/// Keeps a resource that refuses every token from costing a renewal for each call.
///
/// A token that has just replaced a refused one has the provider's word: who refuses it as well has another reason, and
/// another renewal would not help. For 10 seconds such a refusal leads to none, then to one, and each time it goes on
/// for twice as long as the last, up to 5 minutes. A token taken back later is renewed as ever.
struct RefusalWindow: Sendable {
  private let length: Duration
  /// The uptime from which a refusal of the current token leads to a renewal; nil where it always does.
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
