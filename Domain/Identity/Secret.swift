/// A password, token, code or verifier that prints as a placeholder everywhere.
///
/// `description`, `debugDescription`, `Mirror` and `dump` are all redacted; ``reveal()`` is the only way out.
/// It is deliberately not `Codable`.
public struct Secret: Sendable, Hashable {
  private let value: String

  /// Wraps a text that must not be printed.
  public init(_ value: String) {
    self.value = value
  }

  /// Whether there is nothing to hide; tells no more of it.
  public var isEmpty: Bool { value.isEmpty }

  /// The secret itself: call it only where the bytes leave for their destination (a header, a body, secure storage).
  public func reveal() -> String { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "<redacted>" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
