#if canImport(SwiftUI)
import AuthenticationDomain
import AuthenticationPresentation
import SwiftUI

/// A password that can be shown. Both inputs stay where they are, so that no text is lost, and the focus moves between
/// them.
struct SecretField: View {
  let slot: FieldSlot
  @State private var isRevealed = false
  private static let hiddenID = SignInMethod.Need.password.id
  private static let shownID = hiddenID + ".shown"

  var body: some View {
    AdaptiveRow {
      ZStack {
        TextField(slot.label, text: slot.$text).secret(isNew: slot.isNew).focused(slot.focused, equals: Self.shownID)
          .opacity(isRevealed ? 1 : 0).accessibilityHidden(!isRevealed)
        SecureField(slot.label, text: slot.$text).secret(isNew: slot.isNew)
          .focused(slot.focused, equals: Self.hiddenID).opacity(isRevealed ? 0 : 1).accessibilityHidden(isRevealed)
      }
      .bordered()
      Button(slot.words(isRevealed ? "field.password.hide" : "field.password.show")) {
        isRevealed.toggle()
        slot.focused.wrappedValue = isRevealed ? Self.shownID : Self.hiddenID
      }
      .accessibilityValue(slot.words(isRevealed ? "field.password.shown" : "field.password.hidden"))
    }
    .onChange(of: slot.text) { _, new in if new.isEmpty { isRevealed = false } }
  }
}

/// Tells a password manager whose password is chosen, on a page that does not ask for the name (WCAG 2.2, 3.3.7).
struct HiddenUserName: View {
  let name: String

  var body: some View {
    TextField("", text: .constant(name)).entry(.userName).frame(maxWidth: 1, maxHeight: 1).opacity(0.01)
      .accessibilityHidden(true)
  }
}
#endif
