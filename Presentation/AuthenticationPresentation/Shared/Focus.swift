/// Where the focus of keyboard and assistive technology belongs now.
///
/// A view moves the focus whenever this value changes: ``turn`` differs each time.
public struct Focus: Sendable, Hashable {
  /// A place on the screen of a flow.
  public enum Target: Sendable, Hashable {
    /// The heading of a step that has just been reached.
    case heading
    /// What failed.
    case message
    /// An input, by the id of its need; a code has the id `code`.
    case field(String)
  }

  /// Where it belongs.
  public let target: Target
  /// Counts how often it was moved there.
  public let turn: Int

  init(_ target: Target, turn: Int) {
    self.target = target
    self.turn = turn
  }
}
