#if canImport(SwiftUI)
import AuthenticationDomain
package import AuthenticationPresentation
package import SwiftUI

/// The one field of a code, and its button.
package struct CodeInput: View {
  private let entry: CodeEntry
  @Binding private var text: String
  private let words: Words
  private let status: FlowStatus
  private let theme: SignInTheme
  private let submit: @MainActor () -> Void
  @FocusState private var isFocused: Bool

  package init(
    _ entry: CodeEntry, of model: some FlowModel, text: Binding<String>, theme: SignInTheme,
    submit: @escaping @MainActor () -> Void
  ) {
    self.entry = entry
    _text = text
    words = model.words
    status = model.status
    self.theme = theme
    self.submit = submit
  }

  package var body: some View {
    VStack(alignment: .leading, spacing: theme.spacing) {
      VStack(alignment: .leading, spacing: 4) {
        Text(words("field.code.label")).accessibilityHidden(true)
        TextField(words("field.code.label"), text: $text).code().font(.title2.monospaced()).leftToRight().bordered()
          .focused($isFocused).onSubmit(submit).accessibilityHint(problem ?? "")
        if let problem { Problem(sentence: problem, theme: theme) }
      }
      theme.button(words("code.submit.button"), .submit, activity: status.activity, action: submit)
    }
    .onChange(of: status.focus, initial: true) { _, focus in
      if case .field = focus { isFocused = true }
    }
    .onDisappear { isFocused = false }
  }

  private var problem: String? { entry.problem.map { words.sentence(for: $0) } }
}

/// The field of a new password below its checklist: told by text and symbol, not by colour alone.
package struct NewPasswordInput: View {
  private let entry: NewPasswordEntry
  private let words: Words
  private let theme: SignInTheme
  private let field: FormView

  package init(
    _ entry: NewPasswordEntry, of model: some FlowModel, text: Binding<String>, theme: SignInTheme,
    submit: @escaping @MainActor () -> Void
  ) {
    self.entry = entry
    words = model.words
    self.theme = theme
    field = FormView(
      entry.form, of: model, text: { _ in text }, theme: theme, button: words("new_password.submit.button"),
      isNew: true, submit: submit)
  }

  package var body: some View {
    VStack(alignment: .leading, spacing: theme.spacing) {
      ForEach(entry.checklist, id: \.rule.id) { item in
        Label(words.sentence(for: item.rule), systemImage: item.isMet ? "checkmark.circle" : "circle")
          .accessibilityValue(words(item.isMet ? "password.rule.met" : "password.rule.unmet"))
      }
      field
    }
  }
}

/// A password that can be shown. Both inputs stay where they are, so that no text is lost, and the focus moves between
/// them.
struct SecretField: View {
  let slot: FieldSlot
  @State private var isRevealed = false
  private static let hiddenID = SignInMethod.Need.password.id
  private static let shownID = hiddenID + ".shown"

  var body: some View {
    AdaptiveRow {
      ZStack {
        TextField(slot.label, text: slot.$text).secret(isNew: slot.isNew).focused(slot.focused, equals: Self.shownID)
          .opacity(isRevealed ? 1 : 0).accessibilityHidden(!isRevealed)
        SecureField(slot.label, text: slot.$text).secret(isNew: slot.isNew)
          .focused(slot.focused, equals: Self.hiddenID).opacity(isRevealed ? 0 : 1).accessibilityHidden(isRevealed)
      }
      .bordered()
      Button(slot.words(isRevealed ? "field.password.hide" : "field.password.show")) {
        isRevealed.toggle()
        slot.focused.wrappedValue = isRevealed ? Self.shownID : Self.hiddenID
      }
      .accessibilityValue(slot.words(isRevealed ? "field.password.shown" : "field.password.hidden"))
    }
    .onChange(of: slot.text) { _, new in if new.isEmpty { isRevealed = false } }
  }
}
#endif
