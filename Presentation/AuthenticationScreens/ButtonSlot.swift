public import AuthenticationDomain

/// The text and the action of a button.
public struct ButtonSlot {
  /// Its purpose.
  public enum Kind: Sendable, Equatable {
    /// Continues; one for each page, which Return presses.
    case submit
    /// Leaves the step or cancels the request in flight; Escape presses it.
    case cancel
    /// Loses something for ever.
    case destructive
    /// Chooses this way to sign in.
    case method(SignInMethod)
    /// Anything else.
    case other
  }

  /// Its text, which stays while it works.
  public let title: String
  /// Its purpose.
  public let kind: Kind
  /// A remark below its title, such as that this method was used last.
  public let remark: String?
  /// Its current activity, for assistive technology; nil while there is none.
  public let activity: String?
  /// Its action.
  public let action: @MainActor () -> Void
}
