import AuthenticationAccount
import AuthenticationDomain
import AuthenticationPresentation
public import AuthenticationScreens

extension AccountModel {
  /// The account, or the question whether the user is still the same.
  public var screen: Screen {
    Screen(
      of: self, exits: { [self] in proof?.exits ?? ScreenExits() }, nested: { [self] in proof },
      didAppear: { [self] in if case .unavailable(nil) = state { load() } }, parts: parts)
  }

  private var proof: Screen? {
    if case .reauthenticating(_, let proof) = state { proof.screen } else { nil }
  }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    switch state {
    case .loading, .changing, .deleting, .verifying: waiting
    case .unavailable: button("account.page.retry", .submit) { [self] in load() }
    case .shown(let overview, _): lists(of: overview, exits.factors)
    case .enrolling(_, let entry):
      if let enrolment = entry.challenge.enrolment {
        if let uri = enrolment.uri { ScreenPart("qr", .qrCode(uri.reveal(), name: nil)) }
        ScreenPart("key", .verbatim(enrolment.secret.reveal(), .key))
      }
      codeField(entry, TypedText(self, \.code)) { [self] in submit() }
      button("sign_up.back.button", .cancel) { [self] in goBack() }
    case .next: button("sign_up.back.button", .cancel) { [self] in goBack() }
    case .confirmingDeletion:
      button("account.delete.keep", .cancel) { [self] in goBack() }
      button("account.delete.confirm", .destructive) { [self] in confirmDeletion() }
    case .deleted:
      if canRetrySignOut { button("session.sign_out.retry", .submit) { [self] in confirmDeletion() } }
    case .reauthenticating: []
    }
  }

  /// The lists of the page, each below its heading.
  @ScreenBuilder private func lists(of overview: AccountOverview, _ factors: [Challenge.Kind]) -> [ScreenPart] {
    list("account.methods.title", overview.methods) { method in
      let name = words("account.methods.unlink", .text(words.noun(of: method.method)))
      return button(titled: name, id: "method.\(method.id)", remark: method.label) { [self] in change(.unlink(method)) }
    }
    list("account.sessions.title", overview.sessions) { session in
      let (name, id) = (words.name(of: session), "session.\(session.id)")
      return session.isCurrent
        ? ScreenPart(id, .text(name)) : change(.end(session), "account.sessions.end", name, id: id)
    }
    list("account.factors.title", overview.factors) { factor in
      let name = factor.label ?? words.name(of: factor.kind)
      return change(.remove(factor), "account.factors.remove", name, id: "factor.\(factor.id)")
    }
    if overview.factors != nil {
      for kind in factors {
        button(titled: words.addition(of: kind), id: "enrol.\(kind.id)") { [self] in change(.enrol(kind)) }
      }
    }
    if overview.canDelete { button("account.delete.button", .destructive) { [self] in change(.deleteAccount) } }
  }

  private func list<Item>(_ title: WordKey, _ items: [Item]?, _ row: (Item) -> ScreenPart) -> [ScreenPart] {
    items.map { [ScreenPart(title.id, .heading(words(title)))] + $0.map(row) } ?? []
  }

  private func change(_ change: AccountChange, _ key: WordKey, _ name: String, id: String) -> ScreenPart {
    button(titled: words(key, .text(name)), id: id) { [self] in self.change(change) }
  }
}

extension ReauthenticationModel {
  /// The question, or the step of the sign-in that is the proof.
  public var screen: Screen {
    Screen(
      of: self, exits: { ScreenExits(back: { [self] in leaveStep() }) },
      nested: { [self] in if case .proving(let step) = state { step.screen } else { nil } }, parts: parts)
  }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    switch state {
    case .required(_, let methods, _): buttons(methods) { [self] in prove(with: $0) }
    case .askingPassword(let form, _, _):
      fields(form) { _ in TypedText(self, \.password) }
      button("reauthentication.submit.button", .submit, activity: status.activity) { [self] in submit() }
    case .askingCode(let entry): codeField(entry, TypedText(self, \.code)) { [self] in submit() }
    case .checking, .resuming: waiting
    case .proving, .done, .failed, .declined: []
    }
    switch state {
    case .resuming, .done, .failed, .declined: []
    default: button("reauthentication.decline.button", .cancel) { [self] in decline() }
    }
  }
}

extension AccountConflictModel {
  /// The question, or the step of the sign-in to the account that exists.
  public var screen: Screen {
    Screen(
      of: self, exits: { ScreenExits(back: { [self] in leaveStep() }) },
      nested: { [self] in if case .proving(let step) = state { step.screen } else { nil } }, parts: parts)
  }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    switch state {
    case .conflict(let methods): buttons(methods) { [self] in prove(with: $0) }
    case .linking: waiting
    case .proving, .linked, .next, .failed, .expired, .declined: []
    }
    switch state {
    case .conflict, .proving: button("conflict.decline.button", .cancel) { [self] in decline() }
    default: []
    }
  }
}

extension PasswordResetModel {
  /// The reset, from the question for the account to the end.
  ///
  /// ```swift
  /// let model = PasswordResetModel(root.manager.account, in: flows)  // kept, such as with @State
  /// ScreenView(model.screen { show("the form to sign in") })
  /// ```
  ///
  /// - Parameter signIn: shows the form to sign in, or the screen before it where a user is signed in.
  public func screen(signIn: @escaping @MainActor () -> Void) -> Screen {
    Screen(of: self, exits: { ScreenExits(back: signIn) }, parts: parts)
  }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    switch state {
    case .askingAccount(let form, _), .requesting(let form):
      fields(form) { _ in TypedText(self, \.account) }
      button("reset.ask.button", .submit, activity: status.activity) { [self] in submit() }
    case .enteringCode(let entry), .verifying(let entry), .resending(let entry):
      codeField(entry, TypedText(self, \.code)) { [self] in submit() }
    case .editingNew(let entry, _), .submitting(let entry, _):
      ScreenPart("user", .userName(account))
      newPassword(entry, TypedText(self, \.newPassword)) { [self] in submit() }
    case .sent, .expired: []
    case .done(let isSignedIn):
      if let back = exits.back {
        button(isSignedIn ? "sign_up.back.button" : "reset.done.sign_in", .submit, action: back)
      }
    }
    resending("code.resend.wait", "code.resend.button") { [self] in resend() }
    switch state {
    case .askingAccount, .done: []
    default: button("code.start_again.button", .cancel) { [self] in startAgain() }
    }
    switch state {
    case .askingAccount, .sent: if let back = exits.back { button("sign_up.back.button", action: back) }
    default: []
    }
  }
}
