public import AuthenticationDomain

/// A flow that begins with a form: the same inputs, rules and problems, whatever is sent then.
///
/// ```swift
/// @MainActor func draw(_ model: some FormModel) {
///   for field in model.form?.fields ?? [] { show(field.id, model[field.id]) }
/// }
/// ```
@MainActor
public protocol FormModel: FlowModel {
  /// The form; nil while none is shown.
  var form: EntryForm? { get }
  /// How what is typed is cleaned and checked.
  var rules: FieldRules { get }
  /// Whether an answer is awaited.
  var isWorking: Bool { get }
  /// What was typed for a need. What is typed while something is on its way is dropped.
  subscript(need: SignInMethod.Need) -> String { get set }

  /// Sends it, or says what is missing. Does nothing while something is on its way.
  ///
  /// - Parameter input: what the app adds: attributes, hints, the window. Its fields are not used.
  func submit(_ input: SignInInput)
}

extension FormModel {
  /// What keeps a submit from being sent: what the button says, which is never disabled.
  public var missing: [AuthenticationError.Code] { form?.missing(rules) ?? [] }

  public var problems: [AuthenticationError.Code] { form?.problems ?? [] }

  public var focus: Focus? { form?.focus ?? failure?.focus }
}
