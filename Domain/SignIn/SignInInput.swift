/// What one submit of an attempt takes from the user and from the app.
///
/// ```swift
/// attempt.submit(SignInInput([.userName: name, .password: password]))
/// ```
public struct SignInInput: Sendable {
  /// What the user entered, by the need that it meets.
  public var fields: [SignInMethod.Need: Secret]
  /// What a backend wants besides, as ``SignInRequest/attributes``; nothing is collected by the library.
  public var attributes: [String: Secret]
  /// How the provider's own page should be shown.
  public var hints: SignInHints
  /// The host's window, in front of which a sheet or a browser is shown.
  public var anchor: PresentationAnchor?
  /// Whether the user did not ask for it: a passkey is then offered among the suggestions for a text field, instead of
  /// in front of the app.
  public var isOffer = false

  /// By default nothing was entered.
  public init(
    _ fields: [SignInMethod.Need: String] = [:], attributes: [String: Secret] = [:], hints: SignInHints = SignInHints(),
    anchor: PresentationAnchor? = nil
  ) {
    self.fields = fields.mapValues(Secret.init)
    self.attributes = attributes
    self.hints = hints
    self.anchor = anchor
  }

  /// What was entered for a need; empty if nothing was.
  public subscript(need: SignInMethod.Need) -> Secret { fields[need] ?? Secret("") }
}
