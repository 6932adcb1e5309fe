#if canImport(SwiftUI)
import AuthenticationDomain
import AuthenticationPresentation
import SwiftUI

/// The inputs of a form, and its button, which says what is missing instead of being disabled.
struct FormView: View {
  let form: EntryForm
  let text: (SignInMethod.Need) -> Binding<String>
  let words: Words
  let theme: SignInTheme
  let focus: Focus?
  let button: String
  var isNew = false
  var activity: String?
  let submit: @MainActor () -> Void
  @FocusState private var focused: String?

  var body: some View {
    VStack(alignment: .leading, spacing: theme.spacing) {
      ForEach(form.fields) { field in
        theme.slots.field(
          FieldSlot(
            field: field, text: text(field.id), isNew: isNew, words: words, theme: theme, focused: $focused)
        )
        .submitLabel(field.id == form.fields.last?.id ? .go : .next)
        .onSubmit { goOn(from: field) }
      }
      theme.button(button, .submit, activity: activity, action: submit)
    }
    .onChange(of: focus, initial: true) { _, focus in
      if case .field(let id) = focus?.target { focused = id }
    }
    // The keyboard of this page is not the next one's.
    .onDisappear { focused = nil }
  }

  /// Return moves on, and submits at the end.
  private func goOn(from field: EntryField) {
    guard let index = form.fields.firstIndex(where: { $0.id == field.id }), index + 1 < form.fields.count else {
      return submit()
    }
    focused = form.fields[index + 1].id.id
  }
}

extension FormView {
  /// The form of a model.
  init(_ model: some FormModel, _ form: EntryForm, theme: SignInTheme, button: String, isNew: Bool = false) {
    self.init(
      form: form, text: { need in Binding(get: { model[need] }, set: { model[need] = $0 }) }, words: model.words,
      theme: theme, focus: model.focus, button: button, isNew: isNew, activity: model.activity
    ) {
      model.submit(SignInInput())
    }
  }

  /// A form with one input, of a model that is more than a form.
  init(
    _ model: some FlowModel, _ form: EntryForm, text: Binding<String>, theme: SignInTheme, button: String,
    isNew: Bool = false, submit: @escaping @MainActor () -> Void
  ) {
    self.init(
      form: form, text: { _ in text }, words: model.words, theme: theme, focus: model.focus, button: button,
      isNew: isNew, activity: model.activity, submit: submit)
  }
}
#endif
