// Screens of an app over the library's models: ten lines each, and no decision.
import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationUI
import SwiftUI

struct CodeScreen: View {
  let model: CodeEntryModel

  var body: some View {
    Text(model.title)
    ForEach(model.explanations, id: \.self) { Text($0) }
    TextField(model.words("field.code.label"), text: Binding(get: { model.code }, set: { model.code = $0 }))
    if let sentence = model.failureSentence { Text(sentence) }
    Button(model.words("code.submit.button")) { model.submit() }
    if model.secondsToResend == 0 { Button(model.words("code.resend.button")) { model.resend() } }
    Button(model.words("code.start_again.button")) { model.startAgain() }
  }
}

struct FormScreen: View {
  let model: SignInFormModel

  var body: some View {
    Text(model.title)
    ForEach(model.form?.fields ?? []) { field in
      TextField(model.words.label(of: field.id), text: Binding(get: { field.text }, set: { model[field.id] = $0 }))
    }
    if let sentence = model.failureSentence { Text(sentence) }
    Button(model.words("form.submit.button")) { model.submit() }
  }
}

/// One own step among the library's, and own parts on all of its pages.
struct OwnSignIn: View {
  let model: AuthenticationViewModel

  var body: some View {
    SignInView(model, theme: theme) { session in
      ScreenView(session.screen, theme: theme)
    } step: { _, step in
      if case .code(let code) = step { CodeScreen(model: code) } else { SignInStepView(step, theme: theme) }
    }
  }

  private var theme: SignInTheme {
    SignInTheme(
      accent: .primary, header: { AnyView(Text("Example").accessibilityHidden(true)) },
      heading: { AnyView(Text($0).font(.headline)) }, message: { AnyView(Text($0)) },
      text: { AnyView(Text($0).font(.callout)) },
      field: { slot in AnyView(TextField(slot.label, text: slot.$text)) },
      button: { slot in AnyView(Button(slot.title, action: slot.action)) }, activity: { _ in AnyView(ProgressView()) },
      qrCode: { AnyView(Text($0)) }, footer: { AnyView(Text("Help")) })
  }
}
