#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// An input of a form: its name, its text, its problem.
public struct FieldSlot {
  /// The input.
  public let field: EntryField
  /// The typed text.
  @Binding public var text: String
  /// Whether a password is chosen, and not known.
  public let isNew: Bool
  /// The words of its label and its problem.
  let words: Words
  /// How it looks.
  let theme: SignInTheme
  /// The id of the input that has the focus.
  public let focused: FocusState<String?>.Binding

  /// Its name, which is also its accessible name.
  public var label: String { words.label(of: field.id, isNew: isNew) }
  /// Its problem; nil while there is none.
  public var problem: String? { field.problem.map { words.sentence(for: $0) } }
}

/// One input below its label, and its problem in words.
struct EntryFieldView: View {
  let slot: FieldSlot

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      // The input has the same name: it would be read twice.
      Text(slot.label).accessibilityHidden(true)
      input.accessibilityHint(slot.problem ?? "")
      if let problem = slot.problem { Problem(sentence: problem, theme: slot.theme) }
    }
  }

  @ViewBuilder private var input: some View {
    if slot.field.isSecret {
      SecretField(slot: slot)
    } else {
      TextField(slot.label, text: slot.$text).entry(slot.field.id).bordered()
        .focused(slot.focused, equals: slot.field.id.id).disabled(slot.field.isLocked)
    }
  }
}

/// The problem of an input; assistive technology has it as the hint of that input.
struct Problem: View {
  let sentence: String
  let theme: SignInTheme
  @Environment(\.colorSchemeContrast) private var contrast

  var body: some View {
    Label(sentence, systemImage: "exclamationmark.circle").font(.callout)
      .foregroundStyle(contrast == .increased ? .primary : theme.failure).accessibilityHidden(true)
  }
}
#endif
