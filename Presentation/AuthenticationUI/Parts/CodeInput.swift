#if canImport(SwiftUI)
import AuthenticationDomain
import AuthenticationPresentation
import SwiftUI

/// The one field of a code, below what it is about, and its button.
struct CodeInput: View {
  let entry: CodeEntry
  let explanations: [String]
  @Binding var text: String
  let words: Words
  let theme: SignInTheme
  let focus: Focus?
  let activity: String?
  let submit: @MainActor () -> Void
  @FocusState private var isFocused: Bool

  init(
    _ entry: CodeEntry, of model: some FlowModel, explanations: [String]? = nil, text: Binding<String>,
    theme: SignInTheme, submit: @escaping @MainActor () -> Void
  ) {
    self.entry = entry
    self.explanations = explanations ?? entry.explanations(in: model.words)
    _text = text
    words = model.words
    self.theme = theme
    focus = model.focus
    activity = model.activity
    self.submit = submit
  }

  var body: some View {
    VStack(alignment: .leading, spacing: theme.spacing) {
      ForEach(explanations, id: \.self) { theme.slots.text($0) }
      VStack(alignment: .leading, spacing: 4) {
        Text(words("field.code.label")).accessibilityHidden(true)
        TextField(words("field.code.label"), text: $text).code().font(.title2.monospaced()).leftToRight()
          .bordered().focused($isFocused).onSubmit(submit)
          .accessibilityHint(problem ?? "")
        if let problem { Problem(sentence: problem, theme: theme) }
      }
      theme.button(words("code.submit.button"), .submit, activity: activity, action: submit)
    }
    .onChange(of: focus, initial: true) { _, focus in
      if case .field = focus?.target { isFocused = true }
    }
    .onDisappear { isFocused = false }
  }

  private var problem: String? { entry.problem.map { words.sentence(for: $0) } }
}
#endif
