/// Where the focus of keyboard and assistive technology belongs now.
///
/// A view moves the focus whenever this value changes. The turn counts how often it was moved there, so that each time
/// it is another one.
public enum Focus: Sendable, Hashable {
  /// The heading of a step that has just been reached.
  case heading
  /// The failure.
  case message(turn: Int)
  /// An input, by the id of its need; a code has the id `code`.
  case field(String, turn: Int = 0)

  package var isMessage: Bool { if case .message = self { true } else { false } }
  package var field: String? { if case .field(let id, _) = self { id } else { nil } }
}
