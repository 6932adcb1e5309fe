#if canImport(SwiftUI)
import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationScreens
import SwiftUI

/// One part of a screen below its heading and its failure. Inputs are drawn only where there is a focus for them.
struct PartView: View {
  let part: ScreenPart
  let words: Words
  let theme: SignInTheme
  var focused: FocusState<String?>.Binding?

  var body: some View {
    switch part.content {
    case .text(let text), .name(let text): theme.text(text)
    case .heading(let title): Text(title).font(.headline).accessibilityAddTraits(.isHeader)
    case .countdown(let key, _, let seconds):
      TimelineView(.periodic(from: .now, by: 1)) { _ in
        if let sentence = words.sentence(key, secondsLeft: seconds()) {
          Text(sentence).font(.callout).accessibilityAddTraits(.updatesFrequently)
        }
      }
    case .verbatim(let text, .address): Text(text).leftToRight()
    case .verbatim(let text, .code): spelled(text).font(.largeTitle.monospaced())
    case .verbatim(let text, .key): spelled(text).font(.body.monospaced())
    case .qrCode(let text, let name):
      theme.qrCode(text).accessibilityElement().accessibilityAddTraits(.isImage).accessibilityLabel(name ?? "")
        .accessibilityHidden(name == nil)
    case .field(let field, let isNew, let typed):
      if let focused {
        theme.field(
          FieldSlot(
            field: field, text: Binding(typed), isNew: isNew, words: words, theme: theme, focused: focused))
      }
    case .terms(let field, let terms, let typed): if let focused { consent(field, terms, typed, focused) }
    case .codeField(let problem, let typed): if let focused { code(problem, typed, focused) }
    // Told by text and symbol, not by colour alone.
    case .rule(let sentence, let isMet):
      Label(sentence, systemImage: isMet ? "checkmark.circle" : "circle")
        .accessibilityValue(words(isMet ? "password.rule.met" : "password.rule.unmet"))
    case .userName(let name):
      TextField("", text: .constant(name)).entry(.userName).frame(maxWidth: 1, maxHeight: 1).opacity(0.01)
        .accessibilityHidden(true)
    case .button(let slot): theme.slot(slot)
    case .activity(let title): theme.activity(title)
    case .title, .message, .step: EmptyView()
    }
  }

  private func spelled(_ text: String) -> some View { Text(text).speechSpellsOutCharacters().leftToRight() }

  private func consent(
    _ field: EntryField, _ terms: Terms, _ typed: TypedText, _ focused: FocusState<String?>.Binding
  ) -> some View {
    let problem = field.problem.map { words.sentence(for: $0) }
    let isOn = Binding(get: { !typed.get().isEmpty }, set: { typed.set($0 ? terms.version : "") })
    return VStack(alignment: .leading, spacing: 4) {
      Toggle(words.label(of: terms), isOn: isOn).focused(focused, equals: field.id.id)
        .accessibilityHint(problem ?? "")
      if let url = terms.url { Link(words("sign_up.terms.read", .text(terms.title)), destination: url) }
      if let problem { Problem(sentence: problem, theme: theme) }
    }
  }

  private func code(
    _ problem: AuthenticationError?, _ typed: TypedText, _ focused: FocusState<String?>.Binding
  ) -> some View {
    let problem = problem.map { words.sentence(for: $0) }
    return VStack(alignment: .leading, spacing: 4) {
      // The input has the same name: it would be read twice.
      Text(words("field.code.label")).accessibilityHidden(true)
      TextField(words("field.code.label"), text: Binding(typed)).code().font(.title2.monospaced()).leftToRight()
        .bordered().focused(focused, equals: "code").accessibilityHint(problem ?? "")
      if let problem { Problem(sentence: problem, theme: theme) }
    }
  }
}

extension Binding<String> {
  @MainActor fileprivate init(_ typed: TypedText) { self.init(get: typed.get, set: typed.set) }
}

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
#endif
