#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Shows an account, changes it, and deletes it.
public struct AccountView: View {
  private let model: AccountModel
  private let theme: SignInTheme

  /// Shows an account.
  public init(_ model: AccountModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    if case .reauthenticating(_, let proof) = model.state {
      ReauthenticationView(proof, theme: theme)
    } else {
      FlowPage(model: model, theme: theme) { parts }
        .task { if case .unavailable(nil) = model.state { model.load() } }
    }
  }

  @ViewBuilder private var parts: some View {
    switch model.state {
    case .loading, .changing, .deleting, .verifying: theme.slots.activity(model.activity)
    case .unavailable: theme.button(model.words("account.page.retry"), .submit) { model.load() }
    case .shown(let overview, _): AccountOverviewView(overview: overview, model: model, theme: theme)
    case .enrolling(_, let entry):
      if let enrolment = entry.challenge.enrolment {
        theme.slots.text(model.words("account.enrol.explanation"))
        if let uri = enrolment.uri { theme.slots.qrCode(uri.reveal()).accessibilityHidden(true) }
        Text(enrolment.secret.reveal()).font(.body.monospaced()).speechSpellsOutCharacters().leftToRight()
      }
      CodeInput(
        entry, of: model, text: Binding(get: { model.code }, set: { model.code = $0 }), theme: theme
      ) {
        model.submit()
      }
      back
    case .next: back
    case .confirmingDeletion:
      theme.button(model.words("account.delete.keep"), .cancel) { model.goBack() }
      theme.button(model.words("account.delete.confirm"), .destructive) { model.confirmDeletion() }
    case .deleted:
      if let sentence = model.remainderSentence {
        theme.slots.text(sentence)
        theme.button(model.words("session.sign_out.retry"), .submit) { model.retrySignOut() }
      }
    case .reauthenticating: EmptyView()
    }
  }

  private var back: some View { theme.button(model.words("sign_up.back.button"), .cancel) { model.goBack() } }
}
#endif
