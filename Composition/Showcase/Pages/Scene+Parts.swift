import AuthenticationKit
import AuthenticationScreens
import AuthenticationTestingServers
import Foundation

/// The parts of the pages.
extension Scene {
  func form(_ attributes: KeyValuePairs<HTML.Name, String?> = [:], @HTMLBuilder _ content: () -> HTML) -> HTML {
    let own: KeyValuePairs<HTML.Name, String?> = ["method": "post", "action": "/do", "novalidate": ""]
    return HTML("form", own, attributes) {
      hidden("token", seal.token)
      hidden("form", seal.makeID())
      hidden("page", place.rawValue)
      content()
    }
  }

  func hidden(_ name: String, _ value: String) -> HTML {
    HTML("input", ["type": "hidden", "name": name, "value": value])
  }

  /// A button, which is always possible to press. Its action stands where it is drawn.
  func button(
    _ title: String, _ intent: String, _ kind: ButtonKind = .plain, _ act: @escaping @MainActor () async -> Void = {}
  ) -> HTML { button(intent, kind, { _ in await act() }) { title } }

  func button(
    _ intent: String, _ kind: ButtonKind, _ act: @escaping @MainActor (FormFields) async -> Void = { _ in },
    with attributes: KeyValuePairs<HTML.Name, String?> = [:], @HTMLBuilder _ content: () -> HTML
  ) -> HTML {
    actions.byIntent[intent] = act
    return HTML("button", ["name": "intent", "value": intent, "class": kind.rawValue], attributes, content)
  }

  enum ButtonKind: String { case main, plain, quiet, grave, method, segment, `switch`, link }

  /// A text that came from a user or a server, with the text before it.
  func faint(_ before: String, _ foreign: String) -> HTML {
    HTML("span", ["class": "faint"]) {
      before
      HTML.foreign(foreign)
    }
  }

  func text(_ sentence: String, _ kind: String? = nil) -> HTML { HTML("p", ["class": kind]) { sentence } }

  /// A step that continues by itself.
  private func working(_ sentence: String) -> HTML {
    HTML("p", ["class": "working"]) {
      HTML("span", ["class": "dots", "aria-hidden": "true"])
      sentence
      HTML("noscript") {
        " "
        HTML("a", ["href": place.rawValue]) { "Refresh" }
      }
    }
  }

  /// Minutes and seconds.
  static func clock(_ seconds: Int) -> String {
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  // MARK: The parts of a screen, as the library's views draw them.

  /// A whole screen in one form.
  ///
  /// - Parameter name: the heading where the screen has none.
  @HTMLBuilder func drawing(of parts: [ScreenPart], by model: FlowModel, named name: String) -> HTML {
    let hasTitle = parts.contains { if case .title = $0.content { true } else { false } }
    if !hasTitle { heading(name, isFocused: true) }
    form { self.parts(parts, of: model) }
  }

  func parts(_ parts: [ScreenPart], of model: FlowModel) -> HTML {
    HTML.joined(parts.map { drawn($0, among: parts, of: model) })
  }

  @HTMLBuilder private func drawn(_ part: ScreenPart, among parts: [ScreenPart], of model: FlowModel) -> HTML {
    let isFocused = part.input.map { $0 == model.focus.map(\.field) ?? parts.inputs.first } ?? false
    switch part.content {
    case .title(let title):
      // The product greets a user who has just signed in.
      let greeting = model === product.signIn.session ? product.signIn.message : nil
      heading(greeting ?? title, isFocused: model.focus.map { $0 == .heading } ?? parts.inputs.isEmpty)
    case .message(let sentence): message(sentence, isFocused: model.focus?.isMessage == true)
    case .text(let sentence): HTML("p", ["data-part": part.id == sentence ? nil : part.id]) { sentence }
    case .name(let name): HTML("p", ["data-part": part.id]) { HTML.foreign(name) }
    case .heading(let title): HTML("h2") { title }
    case .countdown(let key, let next, let seconds): countdown(key, seconds(), then: next)
    case .verbatim(let text, .address):
      HTML("a", ["href": text, "target": "_blank", "rel": "noopener"]) { HTML.foreign(text) }
    case .verbatim(let text, .code):
      HTML("p", ["class": "big-code", "data-part": part.id]) {
        HTML("bdi", ["aria-hidden": "true"]) { text }
        HTML("span", ["class": "unseen"]) { text.map { "\($0)" }.joined(separator: " ") }
      }
    case .verbatim(let text, .key): HTML("p", ["class": "key", "data-part": part.id]) { HTML("bdi") { text } }
    case .qrCode(let text, let name): drawing(of: text, named: name ?? model.title)
    case .field(let field, let isNew, _):
      input(
        InputKind(field.id, isNew: isNew && field.isSecret), label: words.label(of: field.id, isNew: isNew),
        value: field.isSecret ? nil : field.text, problem: field.problem, isLocked: field.isLocked,
        isFocused: isFocused)
    case .terms(let field, let terms, _): checkbox(field, terms)
    case .codeField(let problem, _):
      input(.code, label: words("field.code.label"), value: nil, problem: problem, isFocused: isFocused)
    case .rule(let sentence, let isMet):
      HTML("p", ["class": "rule", "data-part": part.id]) { (isMet ? "✓ " : "○ ") + sentence }
    case .userName(let name):
      HTML(
        "input",
        [
          "type": "text", "autocomplete": "username", "value": name, "class": "unseen", "readonly": "",
          "tabindex": "-1", "aria-hidden": "true",
        ])
    case .button(let slot): button(slot, part, among: parts)
    case .activity(let title): working(title ?? "")
    case .step: HTML.empty
    }
  }

  /// A button of a screen. The one that submits takes the input.
  @HTMLBuilder private func button(_ slot: ButtonSlot, _ part: ScreenPart, among parts: [ScreenPart]) -> HTML {
    let isSubmit = slot.kind == .submit
    if part.id == "browser.open.again", let page = product.page {
      HTML("a", ["href": page.absoluteString, "class": "main"]) { slot.title }
    } else {
      let act: @MainActor (FormFields) async -> Void = { typed in
        if isSubmit { typed.fill(parts) }
        slot.action()
      }
      button(
        isSubmit ? "submit" : part.id, ButtonKind(slot.kind), act,
        with: ["id": part.id, "hidden": parts.isTooEarly(for: part.id) ? "" : nil]
      ) {
        slot.title
        if let remark = slot.remark { HTML("span", ["class": "tag"]) { remark } }
      }
      if let activity = slot.activity { working(activity) }
    }
  }

  private func heading(_ title: String, isFocused: Bool) -> HTML {
    HTML("h1", ["id": "product-heading", "tabindex": "-1", "autofocus": isFocused ? "" : nil]) { title }
  }

  private func message(_ sentence: String, isFocused: Bool) -> HTML {
    HTML("p", ["id": "message", "role": "alert", "tabindex": "-1", "autofocus": isFocused ? "" : nil]) { sentence }
  }

  /// A sentence about seconds, which the page counts down; the button `then` is shown once they are over.
  private func countdown(_ key: WordKey, _ seconds: Int?, then next: String?) -> HTML? {
    guard let seconds, seconds > 0 else { return nil }
    let parts = words(key, .words("\u{FFFC}")).split(separator: "\u{FFFC}", omittingEmptySubsequences: false)
    return HTML("p", ["class": "countdown", "data-then": next]) {
      String(parts.first ?? "")
      HTML("span", ["class": "clock", "data-left": "\(seal.drawsSeconds ? seconds : 0)"]) {
        seal.drawsSeconds ? Self.clock(seconds) : ""
      }
      String(parts.count > 1 ? parts[1] : "")
    }
  }

  // MARK: Inputs, each with a visible label and its problem in words.

  private func input(
    _ kind: InputKind, label: String, value: String?, problem: AuthenticationError?, isLocked: Bool = false,
    isFocused: Bool
  ) -> HTML {
    let id = "field-\(kind.name)"
    let problemID = "problem-\(kind.name)"
    return HTML("div", ["class": problem == nil ? "field" : "field wrong"]) {
      HTML("label", ["for": id]) { label }
      HTML("div", ["class": "entry"]) {
        HTML(
          "input",
          [
            "id": id, "name": kind.name, "type": kind.type, "autocomplete": kind.autocomplete,
            "inputmode": kind.keyboard, "autocapitalize": "none", "spellcheck": "false", "value": value,
            "class": kind.name == "code" ? "code-entry" : nil, "dir": kind.isLeftToRight ? "ltr" : "auto",
            "readonly": isLocked ? "" : nil, "autofocus": isFocused ? "" : nil,
            "aria-invalid": problem == nil ? nil : "true", "aria-describedby": problem == nil ? nil : problemID,
          ])
        if kind.type == "password" {
          HTML(
            "button",
            [
              "type": "button", "class": "reveal", "hidden": "", "data-reveals": id,
              "data-other": words("field.password.hide"),
            ]
          ) { words("field.password.show") }
        }
      }
      if let problem { HTML("p", ["id": problemID, "class": "problem"]) { words.sentence(for: problem) } }
    }
  }

  /// A box to agree to terms, with a link to them.
  private func checkbox(_ field: EntryField, _ terms: Terms) -> HTML {
    let (id, problemID) = ("field-\(field.id.id)", "problem-\(field.id.id)")
    let isWrong = field.problem != nil
    return HTML("div", ["class": isWrong ? "field wrong" : "field"]) {
      HTML(
        "input",
        [
          "id": id, "name": field.id.id, "type": "checkbox", "value": terms.version,
          "checked": field.text.isEmpty ? nil : "", "aria-invalid": isWrong ? "true" : nil,
          "aria-describedby": isWrong ? problemID : nil,
        ])
      HTML("label", ["for": id]) { words.label(of: terms) }
      if let url = terms.url {
        HTML("a", ["href": url.absoluteString]) { words("sign_up.terms.read", .text(terms.title)) }
      }
      if let problem = field.problem {
        HTML("p", ["id": problemID, "class": "problem"]) { words.sentence(for: problem) }
      }
    }
  }
}

extension Scene.ButtonKind {
  fileprivate init(_ kind: ButtonSlot.Kind) {
    self =
      switch kind {
      case .submit: .main
      case .destructive: .grave
      case .method: .method
      case .cancel, .other: .quiet
      }
  }
}

extension [ScreenPart] {
  /// Whether a countdown says that this button does nothing yet.
  @MainActor fileprivate func isTooEarly(for id: String) -> Bool {
    contains {
      if case .countdown(_, let next, let seconds) = $0.content { next == id && seconds() ?? 0 > 0 } else { false }
    }
  }
}

extension FormFields {
  /// Types the fields into the inputs of a screen.
  @MainActor fileprivate func fill(_ parts: [ScreenPart]) {
    for part in parts {
      switch part.content {
      case .field(let field, let isNew, let text):
        text.set(self[InputKind(field.id, isNew: isNew && field.isSecret).name])
      case .terms(let field, _, let text): text.set(self[field.id.id])
      case .codeField(_, let text): text.set(self[InputKind.code.name])
      default: break
      }
    }
  }
}

/// A browser's suggestions, and its keyboard (HTML §4.10.18.7).
struct InputKind {
  var name: String
  var type = "text"
  var autocomplete = "off"
  var keyboard: String?
  var isLeftToRight = false

  static let code = InputKind(name: "code", autocomplete: "one-time-code", keyboard: "numeric", isLeftToRight: true)
}

extension InputKind {
  init(_ need: SignInMethod.Need, isNew: Bool) {
    self.init(name: isNew ? "new_password" : need.id)
    switch need {
    case .password: (type, autocomplete) = ("password", isNew ? "new-password" : "current-password")
    case .emailAddress: (type, autocomplete, keyboard) = ("email", "email", "email")
    case .phoneNumber: (type, autocomplete, keyboard, isLeftToRight) = ("tel", "tel", "tel", true)
    case .userName: autocomplete = "username"
    default: break
    }
  }
}
