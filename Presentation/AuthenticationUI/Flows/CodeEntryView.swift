#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Asks for a code, in one field.
public struct CodeEntryView: View {
  private let model: CodeEntryModel
  private let theme: SignInTheme

  /// Asks for the code of a model.
  public init(_ model: CodeEntryModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, title: title, theme: theme) {
      if let entry = model.entry {
        CodeInput(
          entry: entry, text: Binding(get: { model.code }, set: { model.code = $0 }), words: model.words,
          focus: model.focus, submitsByItself: model.submitsByItself, isWorking: model.isWorking
        ) {
          model.submit()
        }
        if model.secondsToResend != nil {
          Countdown(sentence: { model.words("code.resend.wait", .words(model.words.duration(.seconds($0)))) }) {
            model.secondsToResend
          }
          Button(model.words("code.resend.button")) { model.resend() }
        }
      }
      Button(model.words("code.start_again.button")) { model.startAgain() }
    }
  }

  private var title: String {
    switch model.state {
    case .expired: model.words("code.expired.title")
    case .spent: model.words("code.spent.title")
    default: model.words("code.entry.title")
    }
  }
}

/// The field of a code with what it is about, and its button.
struct CodeInput: View {
  let entry: CodeEntry
  @Binding var text: String
  let words: Words
  let focus: Focus?
  var submitsByItself = false
  var isWorking = false
  let submit: @MainActor () -> Void
  @FocusState private var isFocused: Bool

  var body: some View {
    VStack(alignment: .leading, spacing: 8) {
      if entry.isRestored { Text(words("code.entry.restored")) }
      if let destination = entry.destination { Text(words("code.entry.sent", .text(destination))) }
      if submitsByItself { Text(words("code.entry.by_itself")) }
      Text(words("field.code.label")).accessibilityHidden(true)
      TextField(words("field.code.label"), text: $text).code().font(.title2.monospaced()).focused($isFocused)
        .environment(\.layoutDirection, .leftToRight).onSubmit(submit)
      if let problem = entry.problem { Text(words.sentence(for: problem)) }
      SubmitButton(title: words("code.submit.button"), isWorking: isWorking, action: submit)
    }
    .onChange(of: focus, initial: true) { _, focus in
      if case .field = focus?.target { isFocused = true }
    }
    .onDisappear { isFocused = false }
  }
}
#endif
