#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// An input of a form: what it is called, what was typed, what is wrong with it.
public struct FieldSlot {
  /// The input.
  public let field: EntryField
  /// What was typed.
  @Binding public var text: String
  /// Whether a password is chosen, and not known.
  public let isNew: Bool
  /// The words of its label and its problem.
  public let words: Words
  /// How it looks.
  public let theme: SignInTheme
  /// The id of the input that has the focus.
  public let focused: FocusState<String?>.Binding

  /// What it is called, which is also its accessible name.
  public var label: String { words.label(of: field.id, isNew: isNew) }
  /// What is wrong with it; nil while nothing is.
  public var problem: String? { field.problem.map { words.sentence(for: $0) } }
}
#endif
