import AuthenticationData
import AuthenticationOpenID

/// The fields of a form, or of a query; of a repeated one the first. A malformed form has none, so that it is refused
/// for lack of a token.
struct FormFields: Sendable {
  private let fields: [(name: String, value: String)]

  init(_ text: String) { fields = FormBody(decoding: text.utf8)?.fields ?? [] }

  /// Empty if there is no such field.
  subscript(name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
}
