import AuthenticationAccountPresentation
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import AuthenticationUI

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

  /// Drawn as the library's own views draw it, with each way out that an app can offer.
  @HTMLBuilder private func page(of preset: AnyPreset) -> HTML {
    if let screen = preset.model as? any DrawnScreen {
      if !screen.shown.isPage { heading(preset.name, nil) }
      drawn(screen, ScreenExits(signIn: {}, signUp: {}, forgot: {}, back: {}))
    }
  }

  @HTMLBuilder private func drawn(_ screen: any DrawnScreen, _ exits: ScreenExits) -> HTML {
    let parts = screen.parts(exits)
    if !screen.isPage {
      for part in parts {
        if case .step = part.content { drawn(screen.shown, exits) } else { form { drawn(part, of: screen) } }
      }
    } else if screen.shown !== screen {
      drawn(screen.shown, exits)
    } else {
      opening(screen, hasFields: !parts.inputs.isEmpty)
      for sentence in screen.explanations { text(sentence, "lead") }
      form { for part in parts { drawn(part, of: screen) } }
    }
  }

  @HTMLBuilder private func drawn(_ part: ScreenPart, of screen: any DrawnScreen) -> HTML {
    let isFocused = part.input.map { screen.focus?.field == $0 } ?? false
    switch part.content {
    case .text(let sentence): text(sentence)
    case .heading(let title): HTML("h2") { title }
    case .ticking(let sentence): if let sentence = sentence() { text(sentence, "hint") }
    case .verbatim(let text, _): HTML("p", ["class": "key"]) { HTML("bdi") { text } }
    case .qrCode(let text, let name): drawing(of: text, named: name ?? screen.title)
    case .field(let field, let isNew, _):
      input(
        InputKind(field.id, isNew: isNew && field.isSecret), label: words.label(of: field.id, isNew: isNew),
        value: field.isSecret ? nil : field.text, problem: field.problem, isLocked: field.isLocked,
        isFocused: isFocused)
    case .codeField(let problem, _):
      input(.code, label: words("field.code.label"), value: nil, problem: problem, isFocused: isFocused)
    case .rule(let sentence, let isMet): text((isMet ? "✓ " : "○ ") + sentence)
    case .button(let slot):
      button(slot.title, part.id, slot.kind == .submit ? .main : .plain)
      if let remark = slot.remark { HTML("span", ["class": "tag"]) { remark } }
    case .activity(let title): working(title)
    case .userName, .step: HTML.empty
    }
  }
}
