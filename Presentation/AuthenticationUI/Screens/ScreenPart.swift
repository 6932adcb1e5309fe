public import AuthenticationDomain
package import AuthenticationPresentation

/// A model whose screen the library draws.
@MainActor
package protocol DrawnScreen: FlowScreen {
  /// Whether it has a heading of its own, and is no part of another page.
  var isPage: Bool { get }
  /// What the screen shows below its heading and its explanations, in the order in which it is read.
  @ScreenBuilder func parts(_ exits: ScreenExits) -> [ScreenPart]
  /// Where it leads, and the steps within it.
  var exits: ScreenExits { get }
  /// Begins what a screen begins by itself once it is shown.
  func didAppear()
  /// The one that is shown, which may be within this one.
  var shown: any DrawnScreen { get }
}

extension DrawnScreen {
  package var isPage: Bool { true }
  package var exits: ScreenExits { ScreenExits() }
  package func didAppear() {}
  package var shown: any DrawnScreen { (nested as? any DrawnScreen)?.shown ?? self }

  /// All that it shows, in the order in which it is read.
  @ScreenBuilder package func page(_ exits: ScreenExits) -> [ScreenPart] {
    if isPage {
      ScreenPart("title", .title(status.title))
      if let sentence = status.failureSentence { ScreenPart("message", .message(sentence)) }
      for sentence in status.explanations { ScreenPart(sentence, .text(sentence)) }
    }
    parts(exits)
  }
}

/// One part of a screen: what it says, what it is, what it does.
///
/// The library's views draw the parts of a model in this order, and between an app's header and footer nothing else:
/// what a user sees of each state can be read where there is no screen.
package struct ScreenPart: Identifiable {
  package enum Content {
    /// The heading of the page.
    case title(String)
    /// What failed.
    case message(String)
    case text(String)
    /// The heading of a list.
    case heading(String)
    /// A sentence about the time, which assistive technology reads only when asked; nil says nothing.
    case ticking(@MainActor () -> String?)
    /// What is read from left to right in every language.
    case verbatim(String, Verbatim)
    /// A QR code, by what it holds. Without a name it is hidden from assistive technology: what it says stands beside it.
    case qrCode(String, name: String?)
    case field(EntryField, isNew: Bool, TypedText)
    /// A checkbox, with where to read what it is about.
    case terms(EntryField, Terms, TypedText)
    case codeField(problem: AuthenticationError?, TypedText)
    /// What a new password must be like.
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

/// Keeps what a view makes once, although the view itself is made anew each time.
@MainActor
package final class Kept<Value> {
  private var value: Value?

  package init() {}

  package func value(_ make: () -> Value) -> Value {
    if let value { return value }
    let value = make()
    self.value = value
    return value
  }
}

/// What is typed into an input, as it is now.
@MainActor
package struct TypedText {
  package let get: @MainActor () -> String
  package let set: @MainActor (String) -> Void

  package init<Model: AnyObject>(_ model: Model, _ path: ReferenceWritableKeyPath<Model, String>) {
    get = { model[keyPath: path] }
    set = { model[keyPath: path] = $0 }
  }
}

/// Where a screen can lead beside what comes next; nil where an app leads nowhere.
@MainActor
package struct ScreenExits {
  package typealias Exit = @MainActor () -> Void

  /// The form to sign in, with the user name that was typed.
  package var signIn: Exit?
  /// The form for a new account.
  package var signUp: Exit?
  /// The reset of a password.
  package var forgot: Exit?
  /// What was shown before.
  package var back: Exit?
  /// The app for mail.
  package var mail: Exit?
  /// The sign-in of another account.
  package var addAccount: Exit?

  package init(signIn: Exit? = nil, signUp: Exit? = nil, forgot: Exit? = nil, back: Exit? = nil, mail: Exit? = nil) {
    self.signIn = signIn
    self.signUp = signUp
    self.forgot = forgot
    self.back = back
    self.mail = mail
  }
}

/// What a button says and does.
public struct ButtonSlot {
  /// What it is for.
  public enum Kind: Sendable, Equatable {
    /// Goes on; one for each page, which Return presses.
    case submit
    /// Leaves the step or cancels the request in flight; Escape presses it.
    case cancel
    /// Loses something for ever.
    case destructive
    /// Chooses this way to sign in.
    case method(SignInMethod)
    /// Anything else.
    case other
  }

  /// What it says, which stays while it works.
  public let title: String
  /// What it is for.
  public let kind: Kind
  /// A remark below its title, such as that this method was used last.
  public let remark: String?
  /// What is being done for it, for assistive technology; nil while nothing is.
  public let activity: String?
  /// What it does.
  public let action: @MainActor () -> Void
}

/// Lists the parts of a screen.
@resultBuilder
package enum ScreenBuilder {
  package static func buildExpression(_ part: ScreenPart) -> [ScreenPart] { [part] }
  package static func buildExpression(_ parts: [ScreenPart]) -> [ScreenPart] { parts }
  package static func buildBlock(_ parts: [ScreenPart]...) -> [ScreenPart] { parts.flatMap(\.self) }
  package static func buildOptional(_ parts: [ScreenPart]?) -> [ScreenPart] { parts ?? [] }
  package static func buildEither(first parts: [ScreenPart]) -> [ScreenPart] { parts }
  package static func buildEither(second parts: [ScreenPart]) -> [ScreenPart] { parts }
  package static func buildArray(_ parts: [[ScreenPart]]) -> [ScreenPart] { parts.flatMap(\.self) }
}

/// What models list their parts with.
extension DrawnScreen {
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

  /// Seconds that count down.
  package func countdown(_ key: WordKey, _ seconds: @escaping @MainActor () -> Int?) -> ScreenPart {
    ScreenPart(
      key.id,
      .ticking { [words] in
        seconds().flatMap { $0 > 0 ? words(key, .words(words.duration(.seconds($0)))) : nil }
      })
  }

  /// When another code or link can be sent, and the button for it.
  @ScreenBuilder package func resending(
    _ wait: WordKey, _ button: WordKey, _ resend: @escaping ScreenExits.Exit
  ) -> [ScreenPart] {
    if status.secondsToResend != nil {
      countdown(wait) { [self] in status.secondsToResend }
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

extension [ScreenPart] {
  /// The inputs, in their order.
  package var inputs: [String] { compactMap(\.input) }

  /// The button that goes on; nil if there is none.
  package var submit: ButtonSlot? {
    lazy.compactMap { if case .button(let slot) = $0.content, slot.kind == .submit { slot } else { nil } }.first
  }
}
