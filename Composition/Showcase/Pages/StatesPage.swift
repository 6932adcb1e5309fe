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

  /// Drawn as the library's own views draw it.
  @HTMLBuilder private func page(of preset: AnyPreset) -> HTML {
    let parts = preset.page
    if !parts.contains(where: { $0.id == "title" }) { heading(preset.name, nil) }
    form { for part in parts { drawn(part, of: preset.model, hasFields: !parts.inputs.isEmpty) } }
  }

  @HTMLBuilder private func drawn(_ part: ScreenPart, of model: any FlowModel, hasFields: Bool) -> HTML {
    let isFocused = part.input.map { model.focus?.field == $0 } ?? false
    switch part.content {
    case .title(let title): heading(title, model.focus, hasFields: hasFields)
    case .message(let sentence): message(sentence, of: model)
    case .text(let sentence): text(sentence)
    case .heading(let title): HTML("h2") { title }
    case .ticking(let sentence): if let sentence = sentence() { text(sentence, "hint") }
    case .verbatim(let text, _): HTML("p", ["class": "key"]) { HTML("bdi") { text } }
    case .qrCode(let text, let name): drawing(of: text, named: name ?? model.title)
    case .field(let field, let isNew, _):
      input(
        InputKind(field.id, isNew: isNew && field.isSecret), label: words.label(of: field.id, isNew: isNew),
        value: field.isSecret ? nil : field.text, problem: field.problem, isLocked: field.isLocked,
        isFocused: isFocused)
    case .terms(let field, let terms, _): checkbox(field, terms)
    case .codeField(let problem, _):
      input(.code, label: words("field.code.label"), value: nil, problem: problem, isFocused: isFocused)
    case .rule(let sentence, let isMet): text((isMet ? "✓ " : "○ ") + sentence)
    case .button(let slot):
      let isSubmit = slot.kind == .submit
      button(slot.title, isSubmit ? "submit" : part.id, isSubmit ? .main : .plain)
      if let remark = slot.remark { HTML("span", ["class": "tag"]) { remark } }
    case .activity(let title): working(title ?? "")
    case .userName, .step: HTML.empty
    }
  }
}
