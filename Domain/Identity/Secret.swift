/// A password, token, code or verifier that prints as a placeholder everywhere.
///
/// `description`, `Mirror`, `dump` and `debugPrint` are all redacted; ``reveal()`` is the only way out.
/// It is deliberately not `Codable`.
///
/// ```swift
/// let password = Secret("correct horse")
/// print(password)  // <redacted>
/// body["password"] = password.reveal()
/// ```
public struct Secret: Sendable, Hashable, Redacted {
  private let value: String

  /// Wraps a text that must not be printed.
  public init(_ value: String) { self.value = value }

  /// Whether the text is empty; nothing else of it is revealed.
  public var isEmpty: Bool { value.isEmpty }

  /// The secret itself: call it only to write the bytes to their destination (a header, a body, secure storage).
  public func reveal() -> String { value }
}

/// Prints as a placeholder, because it holds passwords, codes, verifiers or tokens.
package protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
  public var description: String { "<redacted>" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
