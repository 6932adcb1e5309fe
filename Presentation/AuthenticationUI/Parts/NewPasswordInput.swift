#if canImport(SwiftUI)
import AuthenticationDomain
import AuthenticationPresentation
import SwiftUI

/// The field of a new password below its checklist: told by text and symbol, not by colour alone.
struct NewPasswordInput: View {
  let entry: NewPasswordEntry
  @Binding var text: String
  let words: Words
  let theme: SignInTheme
  let focus: Focus?
  let activity: String?
  let submit: @MainActor () -> Void

  init(
    _ entry: NewPasswordEntry, of model: some FlowModel, text: Binding<String>, theme: SignInTheme,
    submit: @escaping @MainActor () -> Void
  ) {
    self.entry = entry
    _text = text
    words = model.words
    self.theme = theme
    focus = model.focus
    activity = model.activity
    self.submit = submit
  }

  var body: some View {
    VStack(alignment: .leading, spacing: theme.spacing) {
      ForEach(entry.checklist, id: \.rule.id) { item in
        Label(words.sentence(for: item.rule), systemImage: item.isMet ? "checkmark.circle" : "circle")
          .accessibilityValue(words(item.isMet ? "password.rule.met" : "password.rule.unmet"))
      }
      FormView(
        form: entry.form, text: { _ in $text }, words: words, theme: theme, focus: focus,
        button: words("new_password.submit.button"), isNew: true, activity: activity, submit: submit)
    }
  }
}
#endif
