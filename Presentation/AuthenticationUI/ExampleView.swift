#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// The smallest screen of an app's own over the same models: a form, and who has signed in.
public struct ExampleView: View {
  @State private var model: AuthenticationViewModel

  /// Shows a sign-in.
  public init(_ model: AuthenticationViewModel) { _model = State(initialValue: model) }

  public var body: some View {
    VStack {
      if let message = model.message { Text(message) }
      if let user = model.user { Text(user.name ?? user.id) }
      if model.step != nil {
        TextField(model.words("field.user_name.label"), text: $model.userName).entry(.userName)
        SecureField(model.words("field.password.label"), text: $model.password).secret(isNew: false)
        Button(model.words("form.submit.button")) { model.signIn() }
      }
      if let sentence = model.failureSentence { Text(sentence) }
    }
  }
}
#endif
