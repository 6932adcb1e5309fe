package import AuthenticationDomain

/// The input of a new password, with its rules from the beginning.
public struct NewPasswordEntry: Sendable, Equatable {
  /// The rules for it.
  package let rules: [PasswordRule]
  /// The input.
  package internal(set) var form = EntryForm([.password])
  /// Why the last one failed.
  package internal(set) var failure: FlowFailure?

  package init(rules: [PasswordRule] = []) { self.rules = rules }

  /// Each rule, and whether the input meets it.
  public var checklist: [(rule: PasswordRule, isMet: Bool)] {
    rules.map { ($0, $0.isMet(by: form[.password])) }
  }

  package mutating func type(_ text: String, _ fieldRules: FieldRules) { form.type(text, into: .password, fieldRules) }

  /// The password to send; nil if a part is missing, which is then shown.
  package mutating func submit(_ fieldRules: FieldRules, by clock: any AuthenticationClock) -> Secret? {
    guard let fields = form.submit(fieldRules), let password = fields[.password] else {
      failure = nil
      return nil
    }
    guard rules.allSatisfy({ $0.isMet(by: password) }) else {
      failure = FlowFailure(.weakPassword, after: failure, by: clock)
      return nil
    }
    form = form.withoutSecrets()
    return Secret(password)
  }

  /// Shows why it failed.
  package mutating func fail(_ error: AuthenticationError, by clock: any AuthenticationClock) {
    failure = error.isSilent ? nil : FlowFailure(error, after: failure, by: clock)
  }

  package func status(in words: Words) -> FlowStatus {
    FlowStatus(
      "new_password.form.title", in: words, failure: failure, form: form,
      focus: form.focus ?? failure?.focus ?? .field(SignInMethod.Need.password.id))
  }
}
