public import AuthenticationDomain

extension Words {
  /// What a button says of a method.
  public func name(of method: SignInMethod) -> String {
    let key = WordKey("method.\(method.id).button")
    return has(key) ? self(key) : method.displayName
  }

  /// What a method is called that an account has.
  public func noun(of method: SignInMethod) -> String {
    let key = WordKey("account.method.\(method.id)")
    return has(key) ? self(key) : method.displayName
  }

  /// What an input is called, which is also its accessible name.
  ///
  /// - Parameters:
  ///   - need: what is typed.
  ///   - isNew: whether a password is chosen, and not known.
  public func label(of need: SignInMethod.Need, isNew: Bool = false) -> String {
    self(isNew && need == .password ? "field.new_password.label" : WordKey("field.\(need.id).label"))
  }

  /// What a button says of a factor, with its own name, and where a code would go if that is known.
  public func name(of factor: Challenge.Factor) -> String {
    guard let destination = factor.destination else {
      let kind = name(of: factor.kind)
      return factor.label.map { "\(kind) (\u{2068}\($0.withoutControls)\u{2069})" } ?? kind
    }
    let key = WordKey("factors.kind.\(factor.kind.id)")
    return self(
      has(key) ? key : "factors.kind.unknown", .text(factor.label.map { "\(destination) (\($0))" } ?? destination))
  }

  /// What a kind of factor is called.
  public func name(of kind: Challenge.Kind) -> String {
    let bare = WordKey("factors.kind.\(kind.id).bare")
    let key = WordKey("factors.kind.\(kind.id)")
    return has(bare) ? self(bare) : has(key) ? self(key) : self("factors.kind.unknown")
  }

  /// What a button says that adds a factor to an account.
  public func addition(of kind: Challenge.Kind) -> String {
    kind == .enrolment ? self("account.factors.add") : self("account.factors.add_kind", .text(name(of: kind)))
  }

  /// What a person's session elsewhere is called.
  public func name(of session: RemoteSession) -> String {
    session.isCurrent ? self("account.sessions.current") : session.label ?? self("account.sessions.elsewhere")
  }

  /// What a password must be like.
  public func sentence(for rule: PasswordRule) -> String {
    let key = WordKey("password.rule.\(rule.id)")
    return rule.count.map { self(key, .count($0)) } ?? self(key)
  }

  /// What a person is asked before something is lost for ever.
  public func question(about loss: SignOutLoss) -> String { self(keyed("session.loss.title", loss)) }

  /// What would be lost for ever, and why.
  public func explanation(of loss: SignOutLoss) -> String { self(keyed("session.loss.explanation", loss)) }

  private func keyed(_ key: String, _ loss: SignOutLoss) -> WordKey {
    let own = WordKey("\(key).\(loss)")
    return has(own) ? own : WordKey(key)
  }
}
