public import AuthenticationDomain

/// One input of a form: what was typed, and what is wrong with it once a submit has failed.
public struct EntryField: Sendable, Hashable, Identifiable {
  /// What it takes.
  public let id: SignInMethod.Need
  /// As typed.
  public internal(set) var text: String
  /// Whether the app filled it in, and the person cannot change it.
  public let isLocked: Bool
  /// What is wrong; nil while the person has not tried to go on.
  public internal(set) var problem: AuthenticationError.Code?

  /// Whether what is typed is not shown, and is emptied when it was sent.
  public var isSecret: Bool { id == .password }
}

extension EntryField: CustomReflectable {
  /// Without the text: it may be a password.
  public var customMirror: Mirror { Mirror(self, children: ["id": id.id, "problem": problem as Any]) }
}
