public import AuthenticationDomain

/// A change of an account by its user.
public enum AccountChange: Sendable {
  /// Sends a code or a link to this account's address, so that the user can choose another password.
  /// No user need be signed in.
  case resetPassword(of: String)
  /// Changes the password.
  case changePassword(from: Secret, to: Secret)
  /// Changes the address, or verifies the one that the account has.
  case verify(AccountAddress)
  /// Adds a way to sign in; an anonymous account is upgraded, and keeps its user id.
  case link(any Credentials)
  /// Removes a way to sign in.
  case unlink(LinkedMethod)
  /// Adds a second factor or a passkey.
  case enrol(Challenge.Kind)
  /// Removes a second factor or a passkey.
  case remove(EnrolledFactor)
  /// Names a second factor or a passkey.
  case rename(EnrolledFactor, to: String)
  /// Ends a session on some device.
  case end(RemoteSession)
  /// Changes the profile of the user.
  case update(ProfileChanges)
  /// Deletes the account for ever.
  case deleteAccount
  /// Answers the challenge that an earlier change returned.
  case answer(ChallengeAnswer)

  /// The abilities that a provider needs.
  var ability: AccountAbility {
    switch self {
    case .resetPassword: .resetPassword
    case .changePassword: .changePassword
    case .verify: .verify
    case .link, .unlink: .link
    case .enrol, .remove, .rename: .factors
    case .end: .sessions
    case .update: .profile
    case .deleteAccount: .delete
    case .answer: .answer
    }
  }

  /// Refuses an input that cannot be right.
  func validate() throws(AuthenticationError) {
    switch self {
    case .resetPassword(let account): if account.allSatisfy(\.isWhitespace) { throw .blankUserName }
    case .changePassword(let old, let new): if old.isEmpty || new.isEmpty { throw .emptyPassword }
    case .verify(let address): try address.validate()
    case .link(let credentials): try credentials.validate()
    case .answer(let answer): try answer.validate()
    case .rename(_, let name): if name.allSatisfy(\.isWhitespace) { throw .blankName }
    case .unlink, .enrol, .remove, .end, .update, .deleteAccount: break
    }
  }
}
