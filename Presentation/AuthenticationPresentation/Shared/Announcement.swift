/// What assistive technology says although the focus stays where it is (WCAG 2.2, 4.1.3).
///
/// A view announces it whenever this value changes. Seconds that count down are not announced one by one.
public struct Announcement: Sendable, Hashable {
  /// How it interrupts what is being said.
  public enum Urgency: Sendable {
    /// After what is being said (`role=status`).
    case polite
    /// At once (`role=alert`).
    case assertive
  }

  /// What is said.
  public let text: String
  /// How it interrupts.
  public let urgency: Urgency
  /// Tells the same words said again from words that stay.
  public let turn: Int

  package init(_ text: String, _ urgency: Urgency = .polite, turn: Int = 0) {
    self.text = text
    self.urgency = urgency
    self.turn = turn
  }
}
