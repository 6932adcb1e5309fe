public import AuthenticationDomain

/// Asks for the new password that a provider requires before it signs a user in.
///
/// ```swift
/// if case .newPassword(let model) = SignInStep(attempt, in: flows) {
///   model.password = typed
///   model.submit()
/// }
/// ```
public final class NewPasswordModel: Flow<NewPasswordModel.State>, LibraryFlow {
  /// Where it stands.
  public enum State: Sendable, Equatable, StepState {
    /// The user types it.
    case editing(NewPasswordEntry)
    /// It was sent, and is in here no more.
    case submitting(NewPasswordEntry)
    /// The provider asks for another step.
    case next(Challenge)
    /// Signed in.
    case done(AuthSession)
    /// The attempt has ended without a session.
    case ended
  }

  private let attempt: SignInAttempt

  /// Nil if the attempt's challenge asks for anything else.
  package convenience init?(_ attempt: SignInAttempt, in flows: FlowEnvironment) {
    guard let challenge = attempt.state.challenge, [.newPassword, .password].contains(challenge.kind) else {
      return nil
    }
    self.init(.editing(NewPasswordEntry(rules: flows.passwordRules)), of: attempt, in: flows)
    follow(attempt)
  }

  /// Follows nothing.
  package init(_ state: State, of attempt: SignInAttempt, in flows: FlowEnvironment) {
    self.attempt = attempt
    super.init(state, in: flows)
  }

  /// As typed. Input during a request in flight is dropped.
  public var password: String {
    get { if case .editing(let entry) = state { entry.form[.password] } else { "" } }
    set {
      guard case .editing(var entry) = state else { return }
      entry.type(newValue, rules)
      state = .editing(entry)
    }
  }

  /// Sends it, or shows the missing parts.
  public func submit() {
    guard case .editing(var entry) = state, let challenge = attempt.state.challenge else { return }
    guard let password = entry.submit(rules, by: flows.clock) else { return state = .editing(entry) }
    state = .submitting(entry)
    attempt.answer(ChallengeAnswer(to: challenge, .newPassword(password)))
    show(attempt.state, of: attempt)
  }

  package var currentStatus: FlowStatus {
    switch state {
    case .editing(let entry): entry.status(in: words)
    case .submitting: FlowStatus("new_password.form.title", in: words, activity: "new_password.submit.working")
    case .next, .done, .ended: FlowStatus("new_password.form.title", in: words)
    }
  }

  override func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    guard case .submitting(var entry) = state else {
      if case .ended = attemptState, case .editing = state { leave(to: .ended) }
      return
    }
    switch attemptState {
    case .failed(.signInExpired): leave(to: .ended)
    case .challenged(_, let error?), .failed(let error):
      entry.fail(error, by: flows.clock)
      state = .editing(entry)
    default: goOn(attemptState, of: attempt) { leave(to: .ended) }
    }
  }
}

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

/// A rule for a new password, shown before the user types.
public enum PasswordRule: Sendable, Identifiable {
  /// At least so many characters (Unicode code points).
  case length(Int)
  /// An upper-case letter.
  case uppercase
  /// A lower-case letter.
  case lowercase
  /// A digit.
  case digit
  /// A character that is neither letter nor digit.
  case symbol
  /// A custom rule.
  case custom(id: String, isMet: @Sendable (_ password: String) -> Bool)

  /// Stable identifier; the words have its sentence as `password.rule.` and this.
  public var id: String {
    switch self {
    case .length: "length"
    case .uppercase: "uppercase"
    case .lowercase: "lowercase"
    case .digit: "digit"
    case .symbol: "symbol"
    case .custom(let id, _): id
    }
  }

  /// The number in its sentence; nil if there is none.
  package var count: Int? { if case .length(let count) = self { count } else { nil } }

  /// Whether a password meets it. Characters are counted, of any alphabet.
  package func isMet(by password: String) -> Bool {
    switch self {
    case .length(let count): password.unicodeScalars.count >= count
    case .uppercase: password.contains(where: \.isUppercase)
    case .lowercase: password.contains(where: \.isLowercase)
    case .digit: password.contains(where: \.isNumber)
    case .symbol: password.contains { !$0.isLetter && !$0.isNumber && !$0.isWhitespace }
    case .custom(_, let isMet): isMet(password)
    }
  }
}

extension PasswordRule: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id && lhs.count == rhs.count }
}
