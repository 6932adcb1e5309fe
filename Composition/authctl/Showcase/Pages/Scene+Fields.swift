import AuthenticationTestingServers
import AuthenticationKit

/// The inputs of forms, each with a visible label and its problem in words.
extension Scene {
  func fields(of form: EntryForm, focus: Focus?, isNew: Bool = false) -> HTML {
    HTML.joined(
      form.fields.map { field in
        let isNewSecret = isNew && field.isSecret
        return input(
          InputKind(field.id, isNew: isNewSecret),
          label: words(isNewSecret ? "field.new_password.label" : WordKey("field.\(field.id.id).label")),
          value: field.isSecret ? nil : field.text, problem: field.problem, isLocked: field.isLocked,
          isFocused: focus.map { $0.target == .field(field.id.id) } ?? (field.id == form.fields.first?.id))
      })
  }

  func codeField(_ entry: CodeEntry, focus: Focus?) -> HTML {
    HTML.joined([
      entry.isRestored ? text(words("code.entry.restored"), "hint") : .empty,
      text(codeOrigin(entry), "lead"),
      input(
        .code, label: words("field.code.label"), value: nil, problem: entry.problem,
        isFocused: focus.map { $0.target == .field("code") } ?? true),
    ])
  }

  private func codeOrigin(_ entry: CodeEntry) -> String {
    switch entry.challenge.kind {
    case .oneTimePassword: words("code.entry.authenticator")
    case .recoveryCode: words("code.entry.recovery")
    default: entry.destination.map { words("code.entry.sent", .text($0)) } ?? ""
    }
  }

  private func input(
    _ kind: InputKind, label: String, value: String?, problem: AuthenticationError.Code?, isLocked: Bool = false,
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
      if let problem {
        HTML("p", ["id": problemID, "class": "problem"]) { words.sentence(for: problem) }
      }
    }
  }
}

/// What a browser fills in, and which keyboard it shows (HTML §4.10.18.7).
struct InputKind {
  let name: String
  var type = "text"
  var autocomplete = "off"
  var keyboard: String?
  var isLeftToRight = false

  static let code = InputKind(name: "code", autocomplete: "one-time-code", keyboard: "numeric", isLeftToRight: true)

  init(_ need: SignInMethod.Need, isNew: Bool) {
    switch need {
    case .password:
      self.init(
        name: isNew ? "new_password" : need.id, type: "password",
        autocomplete: isNew ? "new-password" : "current-password")
    case .emailAddress: self.init(name: need.id, type: "email", autocomplete: "email", keyboard: "email")
    case .phoneNumber:
      self.init(name: need.id, type: "tel", autocomplete: "tel", keyboard: "tel", isLeftToRight: true)
    case .userName: self.init(name: need.id, autocomplete: "username")
    default: self.init(name: need.id)
    }
  }

  private init(
    name: String, type: String = "text", autocomplete: String = "off", keyboard: String? = nil,
    isLeftToRight: Bool = false
  ) {
    self.name = name
    self.type = type
    self.autocomplete = autocomplete
    self.keyboard = keyboard
    self.isLeftToRight = isLeftToRight
  }
}
