#if canImport(SwiftUI)
import Accessibility
package import AuthenticationDomain
package import AuthenticationPresentation
package import SwiftUI
#if os(watchOS)
import WatchKit
#endif

/// The inputs of a form, and its button, which says what is missing instead of being disabled.
package struct FormView: View {
  private let form: EntryForm
  private let text: (SignInMethod.Need) -> Binding<String>
  private let words: Words
  private let status: FlowStatus
  private let theme: SignInTheme
  private let button: String
  private let isNew: Bool
  private let submit: @MainActor () -> Void
  @FocusState private var focused: String?

  package init(
    _ form: EntryForm, of model: some FlowModel, text: @escaping (SignInMethod.Need) -> Binding<String>,
    theme: SignInTheme, button: String, isNew: Bool = false, submit: @escaping @MainActor () -> Void
  ) {
    self.form = form
    self.text = text
    words = model.words
    status = model.status
    self.theme = theme
    self.button = button
    self.isNew = isNew
    self.submit = submit
  }

  /// The form of a sign-in or a sign-up.
  init(_ model: SignInFormModel, _ form: EntryForm, theme: SignInTheme) {
    self.init(
      form, of: model, text: { need in Binding(get: { model[need] }, set: { model[need] = $0 }) }, theme: theme,
      button: model.words(model.keys.button), isNew: model.createsAccount
    ) {
      model.submit()
    }
  }

  package var body: some View {
    VStack(alignment: .leading, spacing: theme.spacing) {
      ForEach(form.fields) { field in
        theme.field(
          FieldSlot(field: field, text: text(field.id), isNew: isNew, words: words, theme: theme, focused: $focused)
        ).submitLabel(field.id == form.fields.last?.id ? .go : .next).onSubmit { goOn(from: field) }
      }
      theme.button(button, .submit, activity: status.activity, action: submit)
    }
    .onChange(of: status.focus, initial: true) { _, focus in
      if case .field(let id, _) = focus { focused = id }
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

/// The frame of a step: its heading, what failed, and its parts in the order in which they are read, scrolled where the
/// text is large.
package struct FlowPage<Model: FlowModel, Parts: View>: View {
  let model: Model
  let theme: SignInTheme
  let parts: Parts
  @AccessibilityFocusState private var place: FlowPlace?
  @Environment(\.accessibilityReduceMotion) private var reducesMotion
  @Environment(\.colorSchemeContrast) private var contrast

  package init(model: Model, theme: SignInTheme, @ViewBuilder parts: () -> Parts) {
    self.model = model
    self.theme = theme
    self.parts = parts()
  }

  package var body: some View {
    ScrollView {
      VStack(alignment: .leading, spacing: theme.spacing) {
        theme.header()
        theme.heading(model.title).accessibilityAddTraits(.isHeader)
          .accessibilityFocused($place, equals: .heading)
        if let sentence = model.failureSentence {
          theme.message(sentence).foregroundStyle(contrast == .increased ? .primary : theme.failure)
            .accessibilityFocused($place, equals: .message)
        }
        ForEach(model.explanations, id: \.self) { theme.text($0) }
        parts
        theme.footer()
      }
      .padding().frame(maxWidth: theme.width).frame(maxWidth: .infinity)
    }
    .background(Announcer { model.announcement })
    .animation(reducesMotion ? nil : .default, value: model.title)
    .tint(theme.accent)
    .environment(\.layoutDirection, model.words.language.isRightToLeft ? .rightToLeft : .leftToRight)
    .environment(\.locale, Locale(identifier: model.words.language.tag))
    .onChange(of: model.focus, initial: true) { _, focus in
      switch focus {
      case .heading: place = .heading
      case .message: place = .message
      case .field, nil: break
      }
    }
  }
}

/// A place that assistive technology is led to.
enum FlowPlace: Hashable { case heading, message }

/// Side by side, or one below the other where the user reads large text.
struct AdaptiveRow<Parts: View>: View {
  @ViewBuilder let parts: Parts
  @Environment(\.dynamicTypeSize) private var size

  var body: some View {
    let layout = size.isAccessibilitySize ? AnyLayout(VStackLayout(alignment: .leading)) : AnyLayout(HStackLayout())
    layout { parts }
  }
}

extension SignInTheme {
  /// Seconds that count down, which assistive technology reads only when asked.
  @MainActor
  package func countdown(_ key: WordKey, in words: Words, seconds: @escaping () -> Int?) -> some View {
    TimelineView(.periodic(from: .now, by: 1)) { _ in
      if let seconds = seconds(), seconds > 0 {
        Text(words(key, .words(words.duration(.seconds(seconds))))).font(.callout)
          .accessibilityAddTraits(.updatesFrequently)
      }
    }
  }

  /// Tells a password manager whose password is chosen, on a page that does not ask for the name (WCAG 2.2, 3.3.7).
  @MainActor
  package func hiddenUserName(_ name: String) -> some View {
    TextField("", text: .constant(name)).entry(.userName).frame(maxWidth: 1, maxHeight: 1).opacity(0.01)
      .accessibilityHidden(true)
  }
}

/// Which keys a field needs, where the system shows some.
private enum Keyboard { case phone, address, digits }

extension View {
  /// What the system fills in, and which keyboard it shows.
  @ViewBuilder
  func entry(_ need: SignInMethod.Need) -> some View {
    switch need.id {
    case SignInMethod.Need.phoneNumber.id:
      textContentType(.telephoneNumber).keyboard(.phone).autocorrectionDisabled()
    case SignInMethod.Need.emailAddress.id, SignInMethod.Need.userName.id:
      textContentType(.username).keyboard(.address).capitalized(words: false).autocorrectionDisabled()
    case "given_name": textContentType(.givenName).capitalized(words: true).autocorrectionDisabled()
    case "family_name": textContentType(.familyName).capitalized(words: true).autocorrectionDisabled()
    default: autocorrectionDisabled()
    }
  }

  func secret(isNew: Bool) -> some View {
    textContentType(isNew ? .newPassword : .password).capitalized(words: false).autocorrectionDisabled()
  }

  /// One field, whatever is drawn: codes are filled in by the system.
  func code() -> some View { textContentType(.oneTimeCode).keyboard(.digits).autocorrectionDisabled() }

  private func keyboard(_ keyboard: Keyboard) -> some View {
    #if os(macOS) || os(watchOS)
    self
    #else
    keyboardType(keyboard == .phone ? .phonePad : keyboard == .address ? .emailAddress : .numberPad)
    #endif
  }

  private func capitalized(words: Bool) -> some View {
    #if os(macOS)
    self
    #else
    textInputAutocapitalization(words ? .words : .never)
    #endif
  }

  /// With a border, where the system has such fields.
  func bordered() -> some View {
    #if os(tvOS) || os(watchOS)
    self
    #else
    textFieldStyle(.roundedBorder)
    #endif
  }

  /// Codes, numbers and addresses are read from left to right in every language.
  package func leftToRight() -> some View { environment(\.layoutDirection, .leftToRight) }

  /// Return presses it, where there are keys.
  func pressedByReturn() -> some View {
    #if os(watchOS) || os(tvOS)
    self
    #else
    keyboardShortcut(.defaultAction)
    #endif
  }

  /// Escape presses it, where there are keys.
  func pressedByEscape() -> some View {
    #if os(watchOS) || os(tvOS)
    self
    #else
    keyboardShortcut(.cancelAction)
    #endif
  }
}

/// Has assistive technology say what a model wants said. It looks each second: a countdown changes nothing else.
struct Announcer: View {
  let announcement: @MainActor () -> Announcement?

  var body: some View {
    TimelineView(.periodic(from: .now, by: 1)) { _ in
      Color.clear.accessibilityHidden(true)
        .onChange(of: announcement(), initial: true) { _, announcement in announcement?.post() }
    }
  }
}

extension Announcement {
  fileprivate func post() {
    var said = AttributedString(text)
    said.accessibilitySpeechAnnouncementPriority = isAssertive ? .high : .default
    AccessibilityNotification.Announcement(said).post()
  }
}
#endif
