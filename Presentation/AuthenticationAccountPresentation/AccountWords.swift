public import AuthenticationAccount
public import AuthenticationDomain
public import AuthenticationPresentation

/// The sentences of the flows of an account, by the tag of their language: complete in English and German.
package enum AccountWords {
  package static let tables = ["en": english, "de": german]
}

extension Words {
  /// These words with the sentences of the flows of an account.
  public var forAccounts: Words { adding(AccountWords.tables) }

  /// What a method is called that an account has.
  public func noun(of method: SignInMethod) -> String {
    let words = forAccounts
    let key = WordKey("account.method.\(method.id)")
    return words.has(key) ? words(key) : method.displayName
  }

  /// What a button says that adds a factor to an account.
  public func addition(of kind: Challenge.Kind) -> String {
    kind == .enrolment
      ? forAccounts("account.factors.add") : forAccounts("account.factors.add_kind", .text(name(of: kind)))
  }

  /// What a user's session elsewhere is called.
  public func name(of session: RemoteSession) -> String {
    session.isCurrent
      ? forAccounts("account.sessions.current") : session.label ?? forAccounts("account.sessions.elsewhere")
  }
}
