/// An announcement of assistive technology although the focus stays where it is (WCAG 2.2, 4.1.3).
///
/// A view announces it whenever this value changes. Seconds that count down are not announced one by one.
public struct Announcement: Sendable, Hashable {
  package enum Urgency: Sendable { case polite, assertive }

  /// The text.
  public let text: String
  /// Whether it is announced at once (`role=alert`), and not after the current announcement (`role=status`).
  public var isAssertive: Bool { urgency == .assertive }
  private let urgency: Urgency
  /// Tells the same words said again from words that stay.
  package let turn: Int

  package init(_ text: String, _ urgency: Urgency = .polite, turn: Int = 0) {
    self.text = text
    self.urgency = urgency
    self.turn = turn
  }
}
