/// How a user is asked for a passkey.
public enum PasskeyPresentation: Sendable, Hashable {
  /// At once, in front of the app.
  case modal
  /// Among the suggestions for a text field, for as long as the caller waits (conditional mediation, WebAuthn Level 3
  /// §5.1.4).
  case autofill
}
