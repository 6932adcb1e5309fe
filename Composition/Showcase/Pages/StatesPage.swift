import AuthenticationAccountPresentation
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers

/// The list of each state of each flow.
@MainActor
struct StatesPage {
  static let path = "/states"
  let presets: [AnyPreset]

  var document: HTML {
    .note("Each state of each flow") {
      HTML("ul") {
        for (number, preset) in presets.enumerated() {
          HTML("li") { HTML("a", ["href": "\(Self.path)?of=\(number)"]) { preset.name } }
        }
      }
    }
  }
}

/// A page with a flow in one of its states, to be looked at: it has no script, and its forms do nothing.
@MainActor
struct StatePage {
  let preset: AnyPreset
  /// What the flow is drawn with.
  let scene: Scene

  var document: HTML {
    HTML("html", ["lang": scene.words.language.tag]) {
      HTML.head(title: "\(preset.name) – AuthenticationKit")
      HTML("body") {
        HTML("main") {
          HTML("section", ["id": "product", "aria-labelledby": "product-heading"]) {
            HTML("div", ["class": "screen"]) { scene.page(of: preset) }
          }
        }
        HTML("footer", ["lang": "en"]) {
          HTML("p") {
            "\(preset.name). "
            HTML("a", ["href": StatesPage.path]) { "All states" }
          }
        }
      }
    }
  }
}

/// A flow in one of its states, drawn as where a user meets it.
extension Scene {
  @HTMLBuilder func page(of preset: AnyPreset) -> HTML {
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
