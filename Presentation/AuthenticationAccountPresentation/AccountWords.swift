public import AuthenticationAccount
public import AuthenticationDomain
public import AuthenticationPresentation

extension FlowEnvironment {
  /// The same environment with the sentences of the flows of an account.
  var forAccounts: FlowEnvironment {
    var flows = self
    flows.words = words.forAccounts
    return flows
  }
}

extension Words {
  /// These words with the sentences of the flows of an account.
  package var forAccounts: Words { adding(AccountWords.tables) }

  /// What a method is called that an account has.
  public func noun(of method: SignInMethod) -> String {
    let words = forAccounts
    let key = WordKey("account.method.\(method.id)")
    return words.has(key) ? words(key) : method.displayName
  }

  /// What a button says that adds a factor to an account.
  package func addition(of kind: Challenge.Kind) -> String {
    kind == .enrolment
      ? forAccounts("account.factors.add") : forAccounts("account.factors.add_kind", .text(name(of: kind)))
  }

  /// What a user's session elsewhere is called.
  public func name(of session: RemoteSession) -> String {
    session.isCurrent
      ? forAccounts("account.sessions.current") : session.label ?? forAccounts("account.sessions.elsewhere")
  }
}
