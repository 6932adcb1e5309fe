public import AuthenticationDomain

/// What a button says and does.
public struct ButtonSlot {
  /// What it is for.
  public enum Kind: Sendable, Equatable {
    /// Goes on; one for each page, which Return presses.
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

  /// What it says, which stays while it works.
  public let title: String
  /// What it is for.
  public let kind: Kind
  /// A remark below its title, such as that this method was used last.
  public let remark: String?
  /// What is being done for it, for assistive technology; nil while nothing is.
  public let activity: String?
  /// What it does.
  public let action: @MainActor () -> Void
}
