package import AuthenticationDomain

/// The input of a new password, with its rules beside it from the beginning.
public struct NewPasswordEntry: Sendable, Equatable {
  /// What it must be like.
  public let rules: [PasswordRule]
  /// The input.
  public internal(set) var form = EntryForm([.password])
  /// Whether what is typed can be read; hidden at first, and again at each submit.
  public package(set) var isRevealed = false
  /// Why the last one did not do.
  public internal(set) var failure: FlowFailure?

  /// An empty input.
  public init(rules: [PasswordRule] = []) { self.rules = rules }

  /// Each rule, and whether what is typed meets it.
  public var checklist: [(rule: PasswordRule, isMet: Bool)] {
    rules.map { ($0, $0.isMet(by: form[.password])) }
  }

  package mutating func type(_ text: String, _ fieldRules: FieldRules) { form.type(text, into: .password, fieldRules) }

  /// What is sent; nil if something is missing, which is then said.
  mutating func submit(_ fieldRules: FieldRules, by clock: any AuthenticationClock) -> Secret? {
    isRevealed = false
    guard let fields = form.submit(fieldRules), let password = fields[.password] else {
      failure = nil
      return nil
    }
    guard rules.allSatisfy({ $0.isMet(by: password) }) else {
      failure = FlowFailure(.weakPassword(), after: failure, by: clock)
      return nil
    }
    form = form.withoutSecrets()
    return Secret(password)
  }

  package mutating func fail(_ error: AuthenticationError, by clock: any AuthenticationClock) {
    failure = error.isSilent ? nil : FlowFailure(error, after: failure, by: clock)
  }

  var focus: Focus {
    form.focus ?? failure?.focus ?? Focus(.field(SignInMethod.Need.password.id), turn: 0)
  }
}
