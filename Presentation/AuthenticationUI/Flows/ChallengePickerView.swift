#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Lets a person choose among factors.
public struct ChallengePickerView: View {
  private let model: ChallengePickerModel
  private let theme: SignInTheme

  /// Shows a choice.
  public init(_ model: ChallengePickerModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, title: model.words("factors.choice.title"), theme: theme) {
      switch model.state {
      case .choosing(let factors, _), .preparing(_, let factors):
        ForEach(factors) { factor in
          Button(name(of: factor)) { model.choose(factor) }.buttonStyle(.bordered)
        }
      case .asking, .ended: EmptyView()
      }
    }
  }

  private func name(of factor: Challenge.Factor) -> String {
    model.words(WordKey("factors.kind.\(factor.kind.id)"), .text(factor.destination ?? ""))
  }
}

/// Asks for a new password, with its rules beside it.
public struct NewPasswordView: View {
  private let model: NewPasswordModel
  private let theme: SignInTheme

  /// Asks for the password of a model.
  public init(_ model: NewPasswordModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, title: model.words("new_password.form.title"), theme: theme) {
      if case .editing(let entry) = model.state {
        NewPasswordInput(
          entry: entry, text: Binding(get: { model.password }, set: { model.password = $0 }), words: model.words,
          theme: theme, focus: model.focus
        ) {
          model.submit()
        }
      } else {
        ProgressView()
      }
    }
  }
}

/// The field of a new password and its checklist: told by text and icon, not by colour alone.
struct NewPasswordInput: View {
  let entry: NewPasswordEntry
  @Binding var text: String
  let words: Words
  let theme: SignInTheme
  let focus: Focus?
  let submit: @MainActor () -> Void

  var body: some View {
    VStack(alignment: .leading, spacing: theme.spacing) {
      ForEach(entry.checklist, id: \.rule.id) { item in
        Label(words.sentence(for: item.rule), systemImage: item.isMet ? "checkmark.circle" : "circle")
          .accessibilityValue(words(item.isMet ? "password.rule.met" : "password.rule.unmet"))
      }
      FormView(
        form: entry.form, binding: { _ in $text }, words: words, theme: theme, focus: focus,
        button: words("new_password.submit.button"), isNew: true, submit: submit)
    }
  }
}
#endif
