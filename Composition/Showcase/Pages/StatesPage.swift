import AuthenticationAccountPresentation
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers

extension HTML {
  /// The list of each state of each flow.
  @MainActor static func states(_ presets: [AnyPreset]) -> HTML {
    .note("Each state of each flow") {
      HTML("ul") {
        for (number, preset) in presets.enumerated() {
          HTML("li") { HTML("a", ["href": "/states?of=\(number)"]) { preset.name } }
        }
      }
    }
  }
}

/// A flow in one of its states, drawn as where a user meets it.
extension Scene {
  /// A page to be looked at: it has no script, and its forms do nothing.
  func document(of preset: AnyPreset) -> HTML {
    HTML.page("\(preset.name) – AuthenticationKit", ["lang": words.language.tag]) {
      HTML("main") {
        HTML("section", ["id": "product", "aria-labelledby": "product-heading"]) {
          HTML("div", ["class": "screen"]) { page(of: preset) }
        }
      }
      HTML.footer("\(preset.name). ", "All states")
    }
  }

  @HTMLBuilder private func page(of preset: AnyPreset) -> HTML {
    switch preset.model {
    case let model as AuthenticationViewModel: home(model)
    case let model as SessionModel: sessionPage(model, title: model.title, focus: model.focus)
    case let model as AccountModel: accountPage(model)
    case let model as PasswordResetModel: resetPage(model)
    case let model as ReauthenticationModel: proofPage(model)
    case let model as AccountConflictModel: conflictPage(model)
    case let model as LockedStoreModel: lockedPage(model)
    case let model as OfflineModel:
      heading(model.title, model.focus)
      offlineBanner(model)
      message(of: model)
    default: page(of: preset.model)
    }
  }

  /// A way to sign in that belongs to another account of the same user.
  @HTMLBuilder private func conflictPage(_ model: AccountConflictModel) -> HTML {
    if case .proving(let step) = model.state {
      page(of: step)
    } else {
      opening(model)
      form {
        switch model.state {
        case .conflict(let methods):
          text(words("conflict.ask.explanation"), "lead")
          proofs(methods)
          button(words("conflict.decline.button"), "cancel", .quiet)
        case .linking: working(words("conflict.link.working"))
        case .proving, .linked, .next, .failed, .expired, .declined: HTML.empty
        }
      }
    }
  }
}
