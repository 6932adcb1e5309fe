#if canImport(SwiftUI)
import AuthenticationAccount
import AuthenticationDomain
import AuthenticationPresentation
public import AuthenticationUI
public import SwiftUI

/// Shows an account, or what a user is asked because of it.
///
/// ```swift
/// AccountView(AccountModel(root.manager.account, of: user, in: flows))
/// ```
public struct AccountView: View {
  private enum Page {
    case account(AccountModel)
    case proof(ReauthenticationModel)
    case conflict(AccountConflictModel)
    case reset(PasswordResetModel, signIn: @MainActor () -> Void)
  }

  private let page: Page
  private let theme: SignInTheme

  /// Shows an account, changes it, and deletes it.
  public init(_ model: AccountModel, theme: SignInTheme = SignInTheme()) {
    page = .account(model)
    self.theme = theme
  }

  /// Has a user prove again who they are.
  public init(_ model: ReauthenticationModel, theme: SignInTheme = SignInTheme()) {
    page = .proof(model)
    self.theme = theme
  }

  /// Links what a user presented to the account that they have.
  public init(_ model: AccountConflictModel, theme: SignInTheme = SignInTheme()) {
    page = .conflict(model)
    self.theme = theme
  }

  /// Lets a user choose another password.
  ///
  /// - Parameters:
  ///   - model: takes the reset from step to step.
  ///   - theme: colours and fonts.
  ///   - signIn: shows the form to sign in, afterwards.
  public init(_ model: PasswordResetModel, theme: SignInTheme = SignInTheme(), signIn: @escaping @MainActor () -> Void)
  {
    page = .reset(model, signIn: signIn)
    self.theme = theme
  }

  public var body: some View {
    switch page {
    case .account(let model): account(model)
    case .proof(let model): proof(model)
    case .conflict(let model): conflict(model)
    case .reset(let model, let signIn): reset(model, signIn: signIn)
    }
  }

  @ViewBuilder private func account(_ model: AccountModel) -> some View {
    if case .reauthenticating(_, let proof) = model.state {
      AccountView(proof, theme: theme)
    } else {
      FlowPage(model: model, theme: theme) { parts(of: model) }
        .task { if case .unavailable(nil) = model.state { model.load() } }
    }
  }

  @ViewBuilder private func parts(of model: AccountModel) -> some View {
    switch model.state {
    case .loading, .changing, .deleting, .verifying: theme.activity(model.activity)
    case .unavailable: theme.button(model.words("account.page.retry"), .submit) { model.load() }
    case .shown(let overview, _): lists(of: overview, model)
    case .enrolling(_, let entry):
      if let enrolment = entry.challenge.enrolment {
        if let uri = enrolment.uri { theme.qrCode(uri.reveal()).accessibilityHidden(true) }
        Text(enrolment.secret.reveal()).font(.body.monospaced()).speechSpellsOutCharacters().leftToRight()
      }
      CodeInput(entry, of: model, text: Bindable(model).code, theme: theme) { model.submit() }
      back(model)
    case .next: back(model)
    case .confirmingDeletion:
      theme.button(model.words("account.delete.keep"), .cancel) { model.goBack() }
      theme.button(model.words("account.delete.confirm"), .destructive) { model.confirmDeletion() }
    case .deleted:
      if model.canRetrySignOut {
        theme.button(model.words("session.sign_out.retry"), .submit) { model.confirmDeletion() }
      }
    case .reauthenticating: EmptyView()
    }
  }

  private func back(_ model: AccountModel) -> some View {
    theme.button(model.words("sign_up.back.button"), .cancel) { model.goBack() }
  }

  /// The lists of the page, each below its heading.
  @ViewBuilder private func lists(of overview: AccountOverview, _ model: AccountModel) -> some View {
    section(model.words("account.methods.title"), overview.methods) { method in
      let name = method.label ?? model.words.noun(of: method.method)
      theme.button(model.words("account.methods.unlink", .text(name))) { model.change(.unlink(method)) }
    }
    section(model.words("account.sessions.title"), overview.sessions) { session in
      let name = model.words.name(of: session)
      if session.isCurrent {
        theme.text(name)
      } else {
        theme.button(model.words("account.sessions.end", .text(name))) { model.change(.end(session)) }
      }
    }
    section(model.words("account.factors.title"), overview.factors) { factor in
      let name = factor.label ?? model.words.name(of: factor.kind)
      theme.button(model.words("account.factors.remove", .text(name))) { model.change(.remove(factor)) }
    }
    if overview.factors != nil {
      theme.button(model.words("account.factors.add")) { model.change(.enrol(.enrolment)) }
    }
    if overview.canDelete {
      theme.button(model.words("account.delete.button"), .destructive) { model.change(.deleteAccount) }
    }
  }

  @ViewBuilder
  private func section<Item: Identifiable>(
    _ title: String, _ items: [Item]?, @ViewBuilder row: @escaping (Item) -> some View
  ) -> some View {
    if let items {
      Text(title).font(.headline).accessibilityAddTraits(.isHeader)
      ForEach(items) { row($0) }
    }
  }

  @ViewBuilder private func proof(_ model: ReauthenticationModel) -> some View {
    if case .proving(let step) = model.state {
      SignInStepView(step, theme: theme)
    } else {
      FlowPage(model: model, theme: theme) {
        switch model.state {
        case .required(_, let methods, _):
          ForEach(methods, id: \.id) { method in
            theme.button(model.words.name(of: method), .method(method)) { model.prove(with: method) }
          }
        case .askingPassword(let form, _, _):
          FormView(
            form, of: model, text: { _ in Bindable(model).password }, theme: theme,
            button: model.words("reauthentication.submit.button")
          ) {
            model.submit()
          }
        case .askingCode(let entry):
          CodeInput(entry, of: model, text: Bindable(model).code, theme: theme) { model.submit() }
        case .checking, .resuming, .proving: theme.activity(model.activity)
        case .done, .failed, .declined: EmptyView()
        }
        theme.button(model.words("reauthentication.decline.button"), .cancel) { model.decline() }
      }
    }
  }

  @ViewBuilder private func conflict(_ model: AccountConflictModel) -> some View {
    if case .proving(let step) = model.state {
      SignInStepView(step, theme: theme)
    } else {
      FlowPage(model: model, theme: theme) {
        if case .conflict(let methods) = model.state {
          ForEach(methods, id: \.id) { method in
            theme.button(model.words.name(of: method), .method(method)) { model.prove(with: method) }
          }
          theme.button(model.words("conflict.decline.button"), .cancel) { model.decline() }
        } else if case .linking = model.state {
          theme.activity(model.activity)
        }
      }
    }
  }

  private func reset(_ model: PasswordResetModel, signIn: @escaping @MainActor () -> Void) -> some View {
    FlowPage(model: model, theme: theme) {
      switch model.state {
      case .askingAccount(let form, _), .requesting(let form):
        FormView(
          form, of: model, text: { _ in Bindable(model).account }, theme: theme, button: model.words("reset.ask.button")
        ) {
          model.submit()
        }
      case .enteringCode(let entry), .verifying(let entry), .resending(let entry), .expired(let entry):
        CodeInput(entry, of: model, text: Bindable(model).code, theme: theme) { model.submit() }
        if model.secondsToResend != nil {
          theme.countdown("code.resend.wait", in: model.words) { model.secondsToResend }
          theme.button(model.words("code.resend.button")) { model.resend() }
        }
      case .editingNew(let entry, _), .submitting(let entry, _):
        theme.hiddenUserName(model.account)
        NewPasswordInput(entry, of: model, text: Bindable(model).newPassword, theme: theme) { model.submit() }
      case .sent: EmptyView()
      case .done: theme.button(model.words("reset.done.sign_in"), .submit, action: signIn)
      }
      theme.button(model.words("code.start_again.button"), .cancel) { model.startAgain() }
    }
  }
}
#endif
