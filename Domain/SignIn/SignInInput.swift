/// The input of the user and of the app for one submit of an attempt.
///
/// ```swift
/// attempt.submit(SignInInput([.userName: name, .password: password]))
/// ```
public struct SignInInput: Sendable {
  /// The values that the user entered, each by the need that it meets.
  public var fields: [SignInMethod.Need: Secret]
  /// Further values that a backend wants, as ``SignInRequest/attributes``; the library collects none.
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

  /// The value that was entered for a need; empty if none was.
  public subscript(need: SignInMethod.Need) -> Secret { fields[need] ?? Secret("") }
}
