/// What a sign-out loses for ever: an open set. The caller names it, and so confirms that the person was asked.
///
/// ```swift
/// do throws(AuthenticationError) {
///   try await manager.signOut()
/// } catch where error.code == .confirmationRequired {
///   guard await askThePerson(about: error.loss) else { return }
///   try await manager.signOut(losing: error.loss)
/// }
/// ```
public struct SignOutLoss: Sendable, Hashable, CustomStringConvertible {
  /// The loss in logs: stable.
  public let description: String
  /// A loss of your own.
  public init(_ description: String) { self.description = description }

  /// The account of a person without a name (``User/isAnonymous``): nothing leads back to it.
  public static let anonymousAccount = Self("anonymous_account")
}

extension SignOutLoss {
  /// What a sign-out of this person would lose; nil if the person can sign in again.
  package init?(of user: User?) {
    guard let user, user.isAnonymous else { return nil }
    self = .anonymousAccount
  }

  /// Throws ``AuthenticationError/Code/confirmationRequired`` if a sign-out of this person would lose what is not named.
  package static func check(_ user: User?, named: SignOutLoss?) throws(AuthenticationError) {
    if let loss = SignOutLoss(of: user), loss != named { throw .confirmationRequired(losing: loss) }
  }
}

extension AuthenticationError {
  /// Thrown if a sign-out would lose something for ever that the caller did not name; nothing changed.
  ///
  /// - Parameter loss: what to name, after the person was asked.
  public static func confirmationRequired(losing loss: SignOutLoss) -> Self {
    var error = Self(
      .confirmationRequired, "Signing out would lose '\(loss)' for ever.",
      suggestion: "Ask the person, then name it: signOut(losing:). Or let the person link a way to sign in first.")
    error.loss = loss
    return error
  }
}
