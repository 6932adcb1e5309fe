package import AuthenticationDomain
package import AuthenticationPresentation

/// One part of a screen: its text, its kind, its action.
///
/// The library's views draw the parts of a model in this order, and between an app's header and footer nothing else:
/// each state can be read as text where there is no screen.
package struct ScreenPart: Identifiable {
  package enum Content {
    /// The heading of the page.
    case title(String)
    /// The failure.
    case message(String)
    case text(String)
    /// A name that came from a user or a server, of no language.
    case name(String)
    /// The heading of a list.
    case heading(String)
    /// A sentence about the seconds that are left, which assistive technology reads only when asked; nil or zero says
    /// nothing. Before they have passed, the button with the second id does nothing.
    case countdown(WordKey, then: String?, @MainActor () -> Int?)
    /// A text that is read from left to right in every language.
    case verbatim(String, Verbatim)
    /// A QR code, by its content. Without a name it is hidden from assistive technology: its content is there as text.
    case qrCode(String, name: String?)
    case field(EntryField, isNew: Bool, TypedText)
    /// A checkbox, with the address of its text.
    case terms(EntryField, Terms, TypedText)
    case codeField(problem: AuthenticationError?, TypedText)
    /// The rules for a new password.
    case rule(String, isMet: Bool)
    /// Whose password is chosen, for a password manager, on a page that does not ask for the name (WCAG 2.2, 3.3.7).
    case userName(String)
    case button(ButtonSlot)
    /// Nothing can be done but wait, for this; nil where that is not known.
    case activity(String?)
    /// The place of the step of a sign-in.
    case step
  }

  package enum Verbatim { case address, code, key }

  /// Stays while the part does.
  package let id: String
  package let content: Content

  package init(_ id: String, _ content: Content) {
    self.id = id
    self.content = content
  }
}

/// Parts that more than one model lists.
extension FlowModel {
  package func button(
    _ key: WordKey, _ kind: ButtonSlot.Kind = .other, activity: String? = nil, action: @escaping ScreenExits.Exit
  ) -> ScreenPart {
    ScreenPart(
      key.id, .button(ButtonSlot(title: words(key), kind: kind, remark: nil, activity: activity, action: action)))
  }

  /// - Parameter id: tells it from others of the same list.
  package func button(
    titled title: String, _ kind: ButtonSlot.Kind = .other, id: String, remark: String? = nil,
    action: @escaping ScreenExits.Exit
  ) -> ScreenPart {
    ScreenPart(id, .button(ButtonSlot(title: title, kind: kind, remark: remark, activity: nil, action: action)))
  }

  /// A button for each method.
  package func buttons(
    _ methods: [SignInMethod], lastUsed: SignInMethod? = nil, _ choose: @escaping @MainActor (SignInMethod) -> Void
  ) -> [ScreenPart] {
    methods.map { method in
      let remark = method == lastUsed ? words("methods.list.last_used") : nil
      return button(titled: words.name(of: method), .method(method), id: "method.\(method.id)", remark: remark) {
        choose(method)
      }
    }
  }

  package func text(_ key: WordKey, _ argument: Words.Argument? = nil) -> ScreenPart {
    ScreenPart(key.id, .text(argument.map { words(key, $0) } ?? words(key)))
  }

  package var waiting: ScreenPart { ScreenPart("activity", .activity(status.activity ?? status.title)) }

  /// The inputs of a form.
  package func fields(
    _ form: EntryForm, isNew: Bool = false, _ text: (SignInMethod.Need) -> TypedText
  ) -> [ScreenPart] {
    form.fields.map { field in
      let text = text(field.id)
      let input = field.terms.map { .terms(field, $0, text) } ?? ScreenPart.Content.field(field, isNew: isNew, text)
      return ScreenPart("input-\(field.id.id)", input)
    }
  }

  /// The input of a code, and its button.
  package func codeField(
    _ entry: CodeEntry, _ text: TypedText, submit: @escaping ScreenExits.Exit
  ) -> [ScreenPart] {
    [
      ScreenPart("input-code", .codeField(problem: entry.problem, text)),
      button("code.submit.button", .submit, activity: status.activity, action: submit),
    ]
  }

  /// The input of a new password below its checklist, and its button.
  @ScreenBuilder package func newPassword(
    _ entry: NewPasswordEntry, _ text: TypedText, submit: @escaping ScreenExits.Exit
  ) -> [ScreenPart] {
    for (rule, isMet) in entry.checklist {
      ScreenPart("rule.\(rule.id)", .rule(words.sentence(for: rule), isMet: isMet))
    }
    fields(entry.form, isNew: true) { _ in text }
    button("new_password.submit.button", .submit, activity: status.activity, action: submit)
  }

  package func countdown(
    _ key: WordKey, then next: WordKey? = nil, _ seconds: @escaping @MainActor () -> Int?
  ) -> ScreenPart {
    ScreenPart(key.id, .countdown(key, then: next?.id, seconds))
  }

  /// When another code or link can be sent, and the button for it.
  @ScreenBuilder package func resending(
    _ wait: WordKey, _ button: WordKey, _ resend: @escaping ScreenExits.Exit
  ) -> [ScreenPart] {
    if status.secondsToResend != nil {
      countdown(wait, then: button) { [self] in status.secondsToResend }
      self.button(button, action: resend)
    }
  }
}

extension ScreenPart {
  /// Which input it is, as a ``Focus`` names it; nil if it is none.
  package var input: String? {
    switch content {
    case .field(let field, _, _), .terms(let field, _, _): field.id.id
    case .codeField: "code"
    default: nil
    }
  }
}

extension Words {
  /// The sentence of a ``ScreenPart/Content/countdown(_:then:_:)``; nil once the seconds have passed.
  package func sentence(_ key: WordKey, secondsLeft: Int?) -> String? {
    secondsLeft.flatMap { $0 > 0 ? self(key, .words(duration(.seconds($0)))) : nil }
  }
}

extension [ScreenPart] {
  /// The inputs, in their order.
  package var inputs: [String] { compactMap(\.input) }

  /// The button that continues; nil if there is none.
  package var submit: ButtonSlot? {
    lazy.compactMap { if case .button(let slot) = $0.content, slot.kind == .submit { slot } else { nil } }.first
  }
}
