import AuthenticationAccount
import AuthenticationDomain
import AuthenticationPresentation
package import AuthenticationUI

extension AccountModel: DrawnScreen {
  package func didAppear() { if case .unavailable(nil) = state { load() } }

  package var exits: ScreenExits {
    if case .reauthenticating(_, let proof) = state { proof.exits } else { ScreenExits() }
  }

  package func parts(_ exits: ScreenExits) -> [ScreenPart] {
    switch state {
    case .loading, .changing, .deleting, .verifying: waiting
    case .unavailable: button("account.page.retry", .submit) { [self] in load() }
    case .shown(let overview, _): lists(of: overview)
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
  @ScreenBuilder private func lists(of overview: AccountOverview) -> [ScreenPart] {
    list("account.methods.title", overview.methods) { method in
      let name = method.label ?? words.noun(of: method.method)
      return change(.unlink(method), "account.methods.unlink", name, id: "method.\(method.id)")
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
    if overview.factors != nil { button("account.factors.add") { [self] in change(.enrol(.enrolment)) } }
    if overview.canDelete { button("account.delete.button", .destructive) { [self] in change(.deleteAccount) } }
  }

  private func list<Item>(_ title: WordKey, _ items: [Item]?, _ row: (Item) -> ScreenPart) -> [ScreenPart] {
    items.map { [ScreenPart(title.id, .heading(words(title)))] + $0.map(row) } ?? []
  }

  private func change(_ change: AccountChange, _ key: WordKey, _ name: String, id: String) -> ScreenPart {
    button(titled: words(key, .text(name)), id: id) { [self] in self.change(change) }
  }
}

extension ReauthenticationModel: DrawnScreen {
  package var exits: ScreenExits { ScreenExits(back: { [self] in leaveStep() }) }

  package func parts(_ exits: ScreenExits) -> [ScreenPart] {
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

extension AccountConflictModel: DrawnScreen {
  package var exits: ScreenExits { ScreenExits(back: { [self] in leaveStep() }) }

  package func parts(_ exits: ScreenExits) -> [ScreenPart] {
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

extension PasswordResetModel: DrawnScreen {
  package func parts(_ exits: ScreenExits) -> [ScreenPart] {
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
