#if canImport(SwiftUI)
import AuthenticationDomain
import AuthenticationPresentation
import SwiftUI

/// The inputs of a form, and its button, which says what is missing instead of being disabled.
struct FormView: View {
  let form: EntryForm
  let binding: (SignInMethod.Need) -> Binding<String>
  let words: Words
  let theme: SignInTheme
  let focus: Focus?
  let button: String
  var isNew = false
  var isWorking = false
  let submit: @MainActor () -> Void
  @FocusState private var focused: String?

  var body: some View {
    VStack(alignment: .leading, spacing: theme.spacing) {
      ForEach(form.fields) { field in
        EntryFieldView(
          field: field, text: binding(field.id), words: words, theme: theme, isNew: isNew, focused: $focused
        )
        .submitLabel(field.id == form.fields.last?.id ? .go : .next)
        .onSubmit { goOn(from: field) }
      }
      SubmitButton(title: button, isWorking: isWorking, action: submit)
    }
    .onChange(of: focus, initial: true) { _, focus in
      if case .field(let id) = focus?.target { focused = id }
    }
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

/// A button whose name stays while its work is shown.
struct SubmitButton: View {
  let title: String
  var isWorking = false
  let action: @MainActor () -> Void

  var body: some View {
    Button(action: action) {
      HStack {
        Text(title)
        if isWorking { ProgressView() }
      }
      .frame(maxWidth: .infinity, minHeight: 44)
    }
    .buttonStyle(.borderedProminent).keyboardShortcut(.defaultAction)
  }
}

/// Seconds that count down, which assistive technology reads only when asked.
struct Countdown: View {
  let sentence: (Int) -> String
  let seconds: () -> Int?

  var body: some View {
    TimelineView(.periodic(from: .now, by: 1)) { _ in
      if let seconds = seconds(), seconds > 0 {
        Text(sentence(seconds)).font(.callout).accessibilityAddTraits(.updatesFrequently)
      }
    }
  }
}
#endif
