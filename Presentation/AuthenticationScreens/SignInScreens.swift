import AuthenticationDomain
public import AuthenticationPresentation

extension MethodListModel {
  package var screen: Screen { Screen(of: self, parts: parts) }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    if case .ready(let methods, let last) = state { buttons(methods, lastUsed: last, choose) } else { waiting }
  }
}

extension SignInFormModel {
  package var screen: Screen { Screen(of: self, parts: parts) }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    if case .alreadyExists = state {
      if let signIn = exits.signIn { button("sign_up.exists.sign_in", .submit, action: signIn) }
      if let forgot = exits.forgot { button("sign_up.exists.reset", action: forgot) }
      button("sign_up.back.button", .cancel) { [self] in cancel() }
    } else if let form {
      if case .lockedOut = state {
        countdown("form.locked_out.left") { [self] in status.secondsLeft }
      } else {
        fields(form, isNew: createsAccount) { TypedText(self, \.[$0]) }
        button(keys.button, .submit, activity: status.activity) { [self] in submit() }
      }
      if status.isWorking { button("form.cancel.button", .cancel) { [self] in cancel() } }
      if !createsAccount {
        if let forgot = exits.forgot, method.needs.contains(.password) { button("form.forgot.button", action: forgot) }
        if let signUp = exits.signUp, method != .emailLink { button("form.sign_up.button", action: signUp) }
      }
      if !status.isWorking, let back = exits.back {
        button(createsAccount ? "sign_up.back.button" : "code.other.button", action: back)
      }
    }
  }
}

extension ChallengePickerModel {
  package var screen: Screen { Screen(of: self, parts: parts) }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    switch state {
    case .choosing(let factors, _), .preparing(_, let factors):
      for factor in factors {
        button(titled: words.name(of: factor), id: "factor.\(factor.id)") { [self] in choose(factor) }
      }
    case .asking, .ended: []
    }
    if let back = exits.back { button("code.start_again.button", .cancel, action: back) }
  }
}

extension LockedStoreModel {
  package var screen: Screen { Screen(of: self, parts: parts) }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    button("locked.store.retry", .submit) { [self] in retry() }
  }
}

extension OfflineModel {
  package var screen: Screen { Screen(of: self, isPage: false, parts: parts) }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    if state != .online {
      text("offline.banner.title")
      button("offline.banner.retry") { [self] in retry() }
    }
  }
}

extension CodeEntryModel {
  package var screen: Screen { Screen(of: self, parts: parts) }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    if let entry, entry.isLink {
      if case .editing = state, let mail = exits.mail { button("link.waiting.open_mail", .submit, action: mail) }
      if status.isWorking { waiting }
      resending("link.resend.wait", "link.resend.button") { [self] in resend() }
    } else if let entry {
      if case .expired = state {} else { codeField(entry, TypedText(self, \.code)) { [self] in submit() } }
      resending("code.resend.wait", "code.resend.button") { [self] in resend() }
      if canChooseAnother { button("code.other.button") { [self] in chooseAnother() } }
    } else if case .spent = state {
      countdown("form.locked_out.left") { [self] in status.secondsLeft }
    }
    switch state {
    case .next, .done: []
    default: button("code.start_again.button", .cancel) { [self] in startAgain() }
    }
  }
}

extension ExternalSignInModel {
  package var screen: Screen { Screen(of: self, parts: parts) }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    switch state {
    case .asking:
      waiting
      if method.needs.contains(.browser) { button("browser.open.again") { [self] in openAgain() } }
      button("form.cancel.button", .cancel) { [self] in cancel() }
    case .idle, .offered, .failed:
      if method == .passkey {
        button("passkey.prompt.button", .submit) { [self] in start() }
      } else {
        buttons([method]) { [self] _ in start() }
      }
      if let back = exits.back { button("code.other.button", action: back) }
    case .next, .done: []
    }
  }
}

extension DeviceCodeModel {
  package var screen: Screen {
    Screen(of: self, didAppear: { [self] in if case .idle = state { request() } }, parts: parts)
  }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    switch state {
    case .showing(let code):
      let host = Words.Argument.text(code.host ?? code.address)
      text("device.showing.address", host)
      ScreenPart("address", .verbatim(code.address, .address))
      text("device.showing.code")
      ScreenPart("code", .verbatim(code.userCode, .code))
      ScreenPart("qr", .qrCode(code.scannedAddress, name: words("device.showing.qr", host)))
      countdown("device.showing.left") { [self] in status.secondsLeft }
      button("form.cancel.button", .cancel) { [self] in cancel() }
    case .requesting: waiting
    case .idle, .denied, .expired, .failed: button("device.new_code.button", .submit) { [self] in request() }
    case .next, .done: []
    }
    switch state {
    case .next, .done: []
    default: if let back = exits.back { button("code.other.button", action: back) }
    }
  }
}

extension NewPasswordModel {
  package var screen: Screen { Screen(of: self, parts: parts) }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    switch state {
    case .editing(let entry): newPassword(entry, TypedText(self, \.password)) { [self] in submit() }
    case .submitting: waiting
    case .next, .done, .ended: []
    }
    if let back = exits.back { button("code.start_again.button", .cancel, action: back) }
  }
}

extension SessionModel {
  /// The session, and how it ends.
  public var screen: Screen { Screen(of: self, parts: parts) }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    switch state {
    case .unknown: waiting
    case .confirming:
      button("session.loss.keep", .cancel) { [self] in keep() }
      button("session.loss.confirm", .destructive) { [self] in confirm() }
    case .signedOut:
      if canRetrySignOut { button("session.sign_out.retry", .submit) { [self] in signOut() } }
    case .shown(let summary, _), .signingOut(let summary, _):
      ScreenPart("user", .name(summary.user.name ?? summary.user.email ?? summary.user.id))
      if let provider { ScreenPart("provider", .name(provider)) }
      countdown("session.card.expires") { [self] in status.secondsLeft }
      // Return must not sign a user out.
      button("session.sign_out.button", activity: status.activity) { [self] in signOut() }
      if canSignOutEverywhere {
        button("session.sign_out.everywhere") { [self] in signOut(scope: .everywhere) }
      }
    }
  }
}

extension AuthenticationViewModel {
  package var screen: Screen {
    Screen(of: self, isPage: false, exits: { [self] in exits }, nested: { [self] in shown }, parts: parts)
  }

  private var shown: Screen? {
    if case .storeLocked(let store) = state { store.screen } else { step?.screen }
  }

  /// The parts around the step.
  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    switch state {
    case .unknown: ScreenPart("activity", .activity(nil))
    case .storeLocked: ScreenPart("step", .step)
    case .signedIn: []
    case .signedOut(_, let step), .expired(_, let step):
      if let notice { ScreenPart("notice", .text(notice)) }
      if session.canRetrySignOut { button("session.sign_out.retry") { [self] in signOut() } }
      ScreenPart("step", .step)
      // A step that no view knows can be left.
      if case .other = step { button("code.start_again.button", .cancel) { [self] in startAgain() } }
    }
  }

  /// Where its steps lead: each that is not the first leads back.
  package var exits: ScreenExits {
    let isFirst =
      switch step {
      case .methods, nil: true
      case .form(let model) where model.createsAccount: false
      case .form, .device, .browser, .passkey: flows.attempts.methods.count == 1
      case .link, .code, .factors, .newPassword, .other: false
      }
    var exits = ScreenExits()
    if !isFirst { exits.back = { [self] in startAgain() } }
    if flows.attempts.methods.contains(.password) {
      exits.signIn = { [self] in signInInstead() }
      exits.signUp = { [self] in createAccount() }
    }
    return exits
  }

  /// Shows the form to sign in to the account that exists already.
  private func signInInstead() {
    let name = userName
    choose(.password)
    userName = name
  }
}

extension SignInStep {
  /// The screen of the step; nil where there is no model.
  package var screen: Screen? {
    switch self {
    case .methods(let model): model.screen
    case .form(let model): model.screen
    case .link(let model), .code(let model): model.screen
    case .device(let model): model.screen
    case .browser(let model), .passkey(let model): model.screen
    case .factors(let model): model.screen
    case .newPassword(let model): model.screen
    case .other: nil
    }
  }
}
