#if canImport(SwiftUI)
import AuthenticationDomain
import AuthenticationPresentation
import SwiftUI

/// The lists of an account page, each below its heading.
struct AccountOverviewView: View {
  let overview: AccountOverview
  let model: AccountModel
  let theme: SignInTheme

  var body: some View {
    VStack(alignment: .leading, spacing: theme.spacing) {
      if let methods = overview.methods {
        heading("account.methods.title")
        ForEach(methods) { method in
          let name = method.label ?? model.words.noun(of: method.method)
          theme.button(model.words("account.methods.unlink", .text(name))) { model.change(.unlink(method)) }
        }
      }
      if let sessions = overview.sessions {
        heading("account.sessions.title")
        ForEach(sessions) { session in
          if session.isCurrent {
            theme.slots.text(model.words.name(of: session))
          } else {
            theme.button(model.words("account.sessions.end", .text(model.words.name(of: session)))) {
              model.change(.end(session))
            }
          }
        }
      }
      if let factors = overview.factors {
        heading("account.factors.title")
        ForEach(factors) { factor in
          let name = factor.label ?? model.words.name(of: factor.kind)
          theme.button(model.words("account.factors.remove", .text(name))) {
            model.change(.remove(factor))
          }
        }
        theme.button(model.words("account.factors.add")) { model.change(.enrol(.enrolment)) }
      }
      if overview.canDelete {
        theme.button(model.words("account.delete.button"), .destructive) { model.askToDelete() }
      }
    }
  }

  private func heading(_ key: WordKey) -> some View {
    Text(model.words(key)).font(.headline).accessibilityAddTraits(.isHeader)
  }
}
#endif
