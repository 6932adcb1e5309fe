import AuthenticationKit
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
  ) -> HTML { button(intent, kind, act) { title } }

  func button(
    _ intent: String, _ kind: ButtonKind, _ act: @escaping @MainActor () async -> Void = {},
    with attributes: KeyValuePairs<HTML.Name, String?> = [:], @HTMLBuilder _ content: () -> HTML
  ) -> HTML {
    actions.byIntent[intent] = { _ in await act() }
    return HTML("button", ["name": "intent", "value": intent, "class": kind.rawValue], attributes, content)
  }

  /// The button that sends the input.
  func submit(_ key: WordKey, _ act: @escaping @MainActor (FormFields) -> Void) -> HTML {
    defer { actions.byIntent["submit"] = act }
    return button(words(key), "submit", .main)
  }

  func startAgain(_ key: WordKey, _ kind: ButtonKind = .quiet) -> HTML {
    button(words(key), "start-again", kind) { product.startAgain(at: place) }
  }

  enum ButtonKind: String { case main, plain, quiet, grave, method, segment, `switch`, link }

  /// The heading of the step, to which the focus goes where the model says so, or where there is nothing to fill in.
  func heading(_ title: String, _ focus: Focus?, hasFields: Bool = false) -> HTML {
    let isFocused = focus.map { $0 == .heading } ?? !hasFields
    return HTML("h1", ["id": "product-heading", "tabindex": "-1", "autofocus": isFocused ? "" : nil]) { title }
  }

  /// The failure.
  func message(of model: any FlowModel) -> HTML? {
    if model.failure != nil, let sentence = model.failureSentence { message(sentence, of: model) } else { nil }
  }

  func message(_ sentence: String, of model: any FlowModel) -> HTML {
    HTML(
      "p",
      ["id": "message", "role": "alert", "tabindex": "-1", "autofocus": model.focus?.isMessage == true ? "" : nil]
    ) { sentence }
  }

  /// The heading, and the failure.
  @HTMLBuilder func opening(_ model: any FlowModel, hasFields: Bool = false) -> HTML {
    heading(model.title, model.focus, hasFields: hasFields)
    message(of: model)
  }

  /// A text that came from a user or a server, with the text before it.
  func faint(_ before: String, _ foreign: String) -> HTML {
    HTML("span", ["class": "faint"]) {
      before
      HTML.foreign(foreign)
    }
  }

  func text(_ sentence: String, _ kind: String? = nil) -> HTML { HTML("p", ["class": kind]) { sentence } }

  /// A step that continues by itself.
  func working(_ sentence: String) -> HTML {
    HTML("p", ["class": "working"]) {
      HTML("span", ["class": "dots", "aria-hidden": "true"])
      sentence
      HTML("noscript") {
        " "
        HTML("a", ["href": place.rawValue]) { "Refresh" }
      }
    }
  }

  /// A sentence about seconds, which the page counts down; `then` is shown once they are over.
  func countdown(_ seconds: Int?, then: String? = nil, _ sentence: (Words.Argument) -> String) -> HTML? {
    guard let seconds, seconds > 0 else { return nil }
    let parts = sentence(.words("\u{FFFC}")).split(separator: "\u{FFFC}", omittingEmptySubsequences: false)
    return HTML("p", ["class": "countdown", "data-then": then]) {
      String(parts.first ?? "")
      HTML("span", ["class": "clock", "data-left": "\(seal.drawsSeconds ? seconds : 0)"]) {
        seal.drawsSeconds ? Self.clock(seconds) : ""
      }
      String(parts.count > 1 ? parts[1] : "")
    }
  }

  /// Minutes and seconds.
  static func clock(_ seconds: Int) -> String {
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  // MARK: The inputs of forms, each with a visible label and its problem in words.

  func fields(of form: EntryForm, focus: Focus?, isNew: Bool = false) -> HTML {
    HTML.joined(
      form.fields.map { field in
        if let terms = field.terms { return checkbox(field, terms) }
        let isNewSecret = isNew && field.isSecret
        return input(
          InputKind(field.id, isNew: isNewSecret),
          label: words(isNewSecret ? "field.new_password.label" : WordKey("field.\(field.id.id).label")),
          value: field.isSecret ? nil : field.text, problem: field.problem, isLocked: field.isLocked,
          isFocused: focus.map { $0.field == field.id.id } ?? (field.id == form.fields.first?.id))
      })
  }

  @HTMLBuilder func codeField(_ entry: CodeEntry, focus: Focus?) -> HTML {
    if entry.isRestored { text(words("code.entry.restored"), "hint") }
    text(codeOrigin(entry), "lead")
    input(
      .code, label: words("field.code.label"), value: nil, problem: entry.problem,
      isFocused: focus.map { $0.field == "code" } ?? true)
  }

  private func codeOrigin(_ entry: CodeEntry) -> String {
    switch entry.challenge.kind {
    case .oneTimePassword: words("code.entry.authenticator")
    case .recoveryCode: words("code.entry.recovery")
    default: entry.challenge.destination.map { words("code.entry.sent", .text($0)) } ?? ""
    }
  }

  func input(
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
  func checkbox(_ field: EntryField, _ terms: Terms) -> HTML {
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
