public import AuthenticationAccount
public import AuthenticationDomain
public import AuthenticationPresentation

extension Words {
  /// The name of a method that an account has.
  public func noun(of method: SignInMethod) -> String {
    let key = WordKey("account.method.\(method.id)")
    return has(key) ? self(key) : method.displayName
  }

  /// The text of a button that adds a factor to an account.
  func addition(of kind: Challenge.Kind) -> String {
    kind == .enrolment
      ? self("account.factors.add") : self("account.factors.add_kind", .text(name(of: kind)))
  }

  /// The name of a user's session elsewhere.
  public func name(of session: RemoteSession) -> String {
    session.isCurrent
      ? self("account.sessions.current") : session.label ?? self("account.sessions.elsewhere")
  }
}
