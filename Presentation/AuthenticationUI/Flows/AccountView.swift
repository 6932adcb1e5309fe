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
      FlowPage(model: model, title: title, theme: theme) { parts }
        .task { if case .unavailable(nil) = model.state { model.load() } }
    }
  }

  @ViewBuilder private var parts: some View {
    switch model.state {
    case .loading, .changing, .deleting, .verifying: ProgressView()
    case .unavailable: Button(model.words("account.page.retry")) { model.load() }
    case .shown(let overview, _): AccountOverviewView(overview: overview, model: model)
    case .enrolling(_, let entry):
      Text(model.words("account.enrol.explanation"))
      if let secret = entry.challenge.enrolment?.secret {
        Text(secret.reveal()).font(.body.monospaced()).speechSpellsOutCharacters()
      }
      CodeInput(
        entry: entry, text: Binding(get: { model.code }, set: { model.code = $0 }), words: model.words,
        focus: model.focus
      ) {
        model.submit()
      }
      Button(model.words("sign_up.back.button")) { model.goBack() }
    case .next: Button(model.words("sign_up.back.button")) { model.goBack() }
    case .confirmingDeletion:
      Button(model.words("account.delete.keep")) { model.goBack() }
      Button(model.words("account.delete.confirm"), role: .destructive) { model.confirmDeletion() }
    case .reauthenticating, .deleted: EmptyView()
    }
  }

  private var title: String {
    switch model.state {
    case .enrolling, .verifying: model.words("account.enrol.title")
    case .confirmingDeletion: model.words("account.delete.title")
    case .deleting: model.words("account.delete.working")
    case .deleted: model.words("account.deleted.title")
    default: model.words("account.page.title")
    }
  }
}

/// The lists of an account page.
struct AccountOverviewView: View {
  let overview: AccountOverview
  let model: AccountModel

  var body: some View {
    VStack(alignment: .leading, spacing: 16) {
      if let methods = overview.methods {
        Text(model.words("account.methods.title")).font(.headline).accessibilityAddTraits(.isHeader)
        ForEach(methods) { method in
          let name = method.label ?? method.method.displayName
          Button(model.words("account.methods.unlink", .text(name))) { model.change(.unlink(method)) }
        }
      }
      if let sessions = overview.sessions {
        Text(model.words("account.sessions.title")).font(.headline).accessibilityAddTraits(.isHeader)
        ForEach(sessions) { session in
          if session.isCurrent {
            Text(model.words("account.sessions.current"))
          } else {
            Button(model.words("account.sessions.end", .text(session.label ?? session.id))) {
              model.change(.end(session))
            }
          }
        }
      }
      if let factors = overview.factors {
        Text(model.words("account.factors.title")).font(.headline).accessibilityAddTraits(.isHeader)
        ForEach(factors) { factor in
          Button(model.words("account.factors.remove", .text(factor.label ?? factor.kind.id))) {
            model.change(.remove(factor))
          }
        }
        Button(model.words("account.factors.add")) { model.change(.enrol(.enrolment)) }
      }
      if overview.canDelete {
        Button(model.words("account.delete.button"), role: .destructive) { model.askToDelete() }
      }
    }
  }
}
#endif
