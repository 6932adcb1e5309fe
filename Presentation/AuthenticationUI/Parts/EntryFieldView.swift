#if canImport(SwiftUI)
import AuthenticationDomain
import AuthenticationPresentation
import SwiftUI

/// One input with its label, and what is wrong with it in words.
struct EntryFieldView: View {
  let field: EntryField
  @Binding var text: String
  let words: Words
  let theme: SignInTheme
  var isNew = false
  let focused: FocusState<String?>.Binding

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      Text(label).accessibilityHidden(true)
      if field.isSecret {
        SecretField(label: label, text: $text, words: words, isNew: isNew, focused: focused)
      } else {
        TextField(label, text: $text).entry(field.id).focused(focused, equals: field.id.id).disabled(field.isLocked)
      }
      if let problem = field.problem {
        Text(words.sentence(for: problem)).font(.callout).foregroundStyle(theme.failure)
      }
    }
  }

  private var label: String {
    words(isNew && field.isSecret ? "field.new_password.label" : WordKey("field.\(field.id.id).label"))
  }
}

/// A password that can be shown. Both inputs stay where they are, so that no text is lost, and the focus moves between
/// them.
struct SecretField: View {
  let label: String
  @Binding var text: String
  let words: Words
  let isNew: Bool
  let focused: FocusState<String?>.Binding
  @State private var isRevealed = false
  private static let hiddenID = SignInMethod.Need.password.id
  private static let shownID = hiddenID + ".shown"

  var body: some View {
    HStack {
      ZStack {
        TextField(label, text: $text).opacity(isRevealed ? 1 : 0).accessibilityHidden(!isRevealed).secret(isNew: isNew)
          .focused(focused, equals: Self.shownID)
        SecureField(label, text: $text).opacity(isRevealed ? 0 : 1).accessibilityHidden(isRevealed).secret(isNew: isNew)
          .focused(focused, equals: Self.hiddenID)
      }
      Button(words(isRevealed ? "field.password.hide" : "field.password.show")) {
        isRevealed.toggle()
        focused.wrappedValue = isRevealed ? Self.shownID : Self.hiddenID
      }
      .accessibilityValue(words(isRevealed ? "field.password.shown" : "field.password.hidden"))
    }
    .onChange(of: text) { _, new in if new.isEmpty { isRevealed = false } }
  }
}

extension View {
  /// What the system fills in, and which keyboard it shows.
  @ViewBuilder
  func entry(_ need: SignInMethod.Need) -> some View {
    #if os(iOS) || os(visionOS) || os(tvOS)
    switch need {
    case .phoneNumber: textContentType(.telephoneNumber).keyboardType(.phonePad).autocorrectionDisabled()
    case .emailAddress, .userName:
      textContentType(.username).keyboardType(.emailAddress).textInputAutocapitalization(.never)
        .autocorrectionDisabled()
    default: autocorrectionDisabled()
    }
    #else
    autocorrectionDisabled()
    #endif
  }

  func secret(isNew: Bool) -> some View {
    #if os(iOS) || os(visionOS) || os(tvOS)
    textContentType(isNew ? .newPassword : .password).textInputAutocapitalization(.never).autocorrectionDisabled()
    #else
    autocorrectionDisabled()
    #endif
  }

  /// One field, whatever is drawn: codes are filled in by the system.
  func code() -> some View {
    #if os(iOS) || os(visionOS)
    textContentType(.oneTimeCode).keyboardType(.numberPad).autocorrectionDisabled()
    #else
    autocorrectionDisabled()
    #endif
  }
}
#endif
