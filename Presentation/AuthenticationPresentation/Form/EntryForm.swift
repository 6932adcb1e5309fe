public import AuthenticationDomain

/// The inputs of a form: none has a problem until a submit fails, then each field is checked as the user types.
///
/// A submit is always possible; it shows the missing parts.
public struct EntryForm: Sendable, Hashable {
  /// In the order of the screen.
  public private(set) var fields: [EntryField]
  /// Whether a submit has found something wrong, so that typing is checked at once.
  private var isChecked = false
  /// Counts the submits that found something wrong.
  private var turn = 0

  /// A form that asks for these; of several with one name, for the first.
  ///
  /// - Parameters:
  ///   - needs: in the order of the screen.
  ///   - filled: the inputs that are known already.
  ///   - locked: which of them the user cannot change.
  ///   - terms: the terms that the user agrees to, below all of them.
  package init(
    _ needs: [SignInMethod.Need], filled: [SignInMethod.Need: String] = [:], locked: Set<SignInMethod.Need> = [],
    terms: [Terms] = []
  ) {
    fields = needs.map { EntryField(id: $0, text: filled[$0] ?? "", isLocked: locked.contains($0)) }
    fields += terms.map { EntryField(id: .init(id: $0.attribute), text: "", isLocked: false, terms: $0) }
    var names: Set<SignInMethod.Need> = []
    fields = fields.filter { names.insert($0.id).inserted }
  }

  /// The typed text; empty if there is none.
  package subscript(need: SignInMethod.Need) -> String { fields.first { $0.id == need }?.text ?? "" }

  private var firstProblem: EntryField? { fields.first { $0.problem != nil } }

  /// The problems, in the order of the screen.
  package var problems: [AuthenticationError] { fields.compactMap(\.problem) }

  package mutating func type(_ text: String, into need: SignInMethod.Need, _ rules: FieldRules) {
    guard let index = fields.firstIndex(where: { $0.id == need }), !fields[index].isLocked else { return }
    fields[index].text = text.isEmpty ? "" : fields[index].terms?.version ?? text
    if isChecked { fields[index].check(rules) }
  }

  /// Checks all of it.
  ///
  /// - Returns: the input to send, cleaned; nil if it has a problem.
  @discardableResult
  package mutating func submit(_ rules: FieldRules) -> [SignInMethod.Need: String]? {
    for index in fields.indices { fields[index].check(rules) }
    isChecked = firstProblem != nil
    guard !isChecked else {
      turn += 1
      return nil
    }
    let sent = fields.filter { $0.terms == nil || !$0.text.isEmpty }
    return Dictionary(uniqueKeysWithValues: sent.map { ($0.id, rules[$0.id].clean($0.text)) })
  }

  /// The same without secrets: they were sent.
  package func withoutSecrets() -> Self {
    var form = self
    for index in form.fields.indices where form.fields[index].isSecret { form.fields[index].text = "" }
    return form
  }

  /// The field with which something is wrong gets the focus.
  package var focus: Focus? { firstProblem.map { .field($0.id.id, turn: turn) } }
}

/// One input of a form: its text, and its problem once a submit has failed.
public struct EntryField: Sendable, Hashable, Identifiable {
  /// The kind of input.
  public let id: SignInMethod.Need
  /// As typed.
  public internal(set) var text: String
  /// Whether the app filled it in, and the user cannot change it.
  public let isLocked: Bool
  /// The problem; nil until the user has submitted the form.
  public internal(set) var problem: AuthenticationError?
  /// The terms that the user agrees to; nil for an input. Its ``text`` is the version, or empty while the user does not
  /// agree.
  public var terms: Terms?

  /// Whether the input is not shown, and is emptied when it was sent.
  public var isSecret: Bool { id == .password }

  fileprivate mutating func check(_ rules: FieldRules) {
    guard let terms else { return problem = rules[id].problem(with: text) }
    problem = terms.isRequired && text.isEmpty ? .termsNotAccepted : nil
  }
}

/// Its text may be a password.
extension EntryField: Redacted {}
