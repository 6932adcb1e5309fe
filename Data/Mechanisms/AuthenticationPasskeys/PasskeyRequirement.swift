/// How much a server wants something (WebAuthn Level 3 §5.4.6, §5.8.6).
public enum PasskeyRequirement: String, Sendable, Hashable {
  /// Without it the server refuses the response.
  case required
  /// If it is possible.
  case preferred
  /// Better not.
  case discouraged
}
