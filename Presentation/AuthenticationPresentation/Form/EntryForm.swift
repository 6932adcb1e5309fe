public import AuthenticationDomain

/// What a person fills in: nothing is wrong with it until a submit fails, then each field is checked as it is typed.
///
/// A submit is always possible; it says what is missing.
public struct EntryForm: Sendable, Hashable {
  /// In the order of the screen.
  public private(set) var fields: [EntryField]
  /// Whether a submit has found something wrong, so that typing is checked at once.
  public private(set) var isChecked = false
  /// Counts the submits that found something wrong.
  private(set) var turn = 0

  /// A form that asks for these.
  ///
  /// - Parameters:
  ///   - needs: in the order of the screen.
  ///   - filled: what is known already.
  ///   - locked: which of them the person cannot change.
  public init(
    _ needs: [SignInMethod.Need], filled: [SignInMethod.Need: String] = [:], locked: Set<SignInMethod.Need> = []
  ) {
    fields = needs.map { EntryField(id: $0, text: filled[$0] ?? "", isLocked: locked.contains($0)) }
  }

  /// What was typed; empty if nothing was.
  public subscript(need: SignInMethod.Need) -> String { fields.first { $0.id == need }?.text ?? "" }

  /// The first input with which something is wrong.
  public var firstProblem: EntryField? { fields.first { $0.problem != nil } }

  /// What is wrong, in the order of the screen.
  public var problems: [AuthenticationError.Code] { fields.compactMap(\.problem) }

  /// What keeps a submit from being sent, in order: what a button says instead of being disabled.
  public func missing(_ rules: FieldRules) -> [AuthenticationError.Code] {
    fields.compactMap { rules[$0.id].problem(with: $0.text) }
  }

  package mutating func type(_ text: String, into need: SignInMethod.Need, _ rules: FieldRules) {
    guard let index = fields.firstIndex(where: { $0.id == need }), !fields[index].isLocked else { return }
    fields[index].text = text
    if isChecked { fields[index].problem = rules[need].problem(with: text) }
  }

  /// Checks all of it.
  ///
  /// - Returns: what to send, cleaned; nil if something is wrong.
  @discardableResult
  package mutating func submit(_ rules: FieldRules) -> [SignInMethod.Need: String]? {
    for index in fields.indices {
      fields[index].problem = rules[fields[index].id].problem(with: fields[index].text)
    }
    isChecked = firstProblem != nil
    guard !isChecked else {
      turn += 1
      return nil
    }
    return Dictionary(uniqueKeysWithValues: fields.map { ($0.id, rules[$0.id].cleaned($0.text)) })
  }

  /// The same without what is secret: it was sent.
  func withoutSecrets() -> Self {
    var form = self
    for index in form.fields.indices where form.fields[index].isSecret { form.fields[index].text = "" }
    return form
  }

  /// The field with which something is wrong gets the focus.
  var focus: Focus? { firstProblem.map { Focus(.field($0.id.id), turn: turn) } }
}
