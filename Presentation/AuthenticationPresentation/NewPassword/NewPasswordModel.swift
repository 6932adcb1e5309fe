public import AuthenticationDomain
public import Observation

/// Asks for the new password that a provider requires before it signs a user in.
///
/// ```swift
/// if let model = NewPasswordModel(attempt, rules: [.length(15)], in: flows) {
///   model.password = typed
///   model.submit()
/// }
/// ```
@MainActor
@Observable
public final class NewPasswordModel: StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The user types it.
    case editing(NewPasswordEntry)
    /// It was sent, and is in here no more.
    case submitting(NewPasswordEntry, attempt: String)
    /// The provider asks for another step.
    case next(Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
    /// The attempt is over without a session.
    case ended
  }

  public package(set) var state: State {
    didSet { if let stepEnd { onEnd?(stepEnd) } }
  }
  public var words: Words { flows.words }

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored private let flows: FlowEnvironment
  @ObservationIgnored private let attempt: SignInAttempt
  @ObservationIgnored private let following = AttemptFollowing()

  /// Nil if the attempt's challenge asks for anything else.
  ///
  /// - Parameters:
  ///   - attempt: the one whose challenge asks for it.
  ///   - rules: from the provider's configuration.
  ///   - flows: what the models of one app share.
  public init?(_ attempt: SignInAttempt, rules: [PasswordRule] = [], in flows: FlowEnvironment) {
    guard let challenge = attempt.state.challenge, [.newPassword, .password].contains(challenge.kind) else {
      return nil
    }
    self.attempt = attempt
    self.flows = flows
    state = .editing(NewPasswordEntry(rules: rules))
    following.follow(attempt) { [weak self] in self?.show($0) }
  }

  /// For a preview: it follows nothing.
  package init(_ state: State, of attempt: SignInAttempt, in flows: FlowEnvironment) {
    self.attempt = attempt
    self.flows = flows
    self.state = state
  }

  /// As typed. What is typed while something is on its way is dropped.
  public var password: String {
    get { if case .editing(let entry) = state { entry.form[.password] } else { "" } }
    set { edit { $0.type(newValue, flows.rules) } }
  }

  /// Whether what is typed can be read.
  public var isRevealed: Bool {
    get { if case .editing(let entry) = state { entry.isRevealed } else { false } }
    set { edit { $0.isRevealed = newValue } }
  }

  /// Sends it, or says what is missing.
  public func submit() {
    guard case .editing(var entry) = state, let challenge = attempt.state.challenge else { return }
    guard let password = entry.submit(flows.rules, by: flows.clock) else { return state = .editing(entry) }
    state = .submitting(entry, attempt: attempt.id)
    attempt.answer(ChallengeAnswer(to: challenge, .newPassword(password)))
    show(attempt.state)
  }

  private var stepEnd: StepEnd? {
    switch state {
    case .next: .next(attempt)
    case .done(let completion): .done(completion)
    case .ended: .left
    default: nil
    }
  }

  public var problems: [AuthenticationError] {
    if case .editing(let entry) = state { entry.form.problems } else { [] }
  }

  public var title: String { words("new_password.form.title") }

  public var activity: String? {
    if case .submitting = state { words("new_password.submit.working") } else { nil }
  }

  public var failure: FlowFailure? {
    if case .editing(let entry) = state { entry.failure } else { nil }
  }

  public var focus: Focus? {
    if case .editing(let entry) = state { entry.focus } else { nil }
  }

  public func finished() async { await following.finished() }

  private func edit(_ change: (inout NewPasswordEntry) -> Void) {
    guard case .editing(var entry) = state else { return }
    change(&entry)
    state = .editing(entry)
  }

  private func show(_ attemptState: SignInAttempt.State) {
    guard case .submitting(var entry, _) = state else {
      if case .ended = attemptState, case .editing = state { state = .ended }
      return
    }
    switch attemptState {
    case .collecting, .submitting, .externalInteraction: break
    case .challenged(let challenge, let error):
      if let error {
        entry.fail(error, by: flows.clock)
        state = .editing(entry)
      } else {
        state = .next(challenge, attempt: attempt.id)
      }
    case .failed(let error):
      entry.fail(error, by: flows.clock)
      state = error == .signInExpired ? .ended : .editing(entry)
    case .ended(.signedIn(let user)):
      state = SignInCompletion(user, of: attempt, by: flows.control).map(State.done) ?? .ended
    case .ended: state = .ended
    }
  }
}

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
  package mutating func submit(_ fieldRules: FieldRules, by clock: any AuthenticationClock) -> Secret? {
    isRevealed = false
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

  package mutating func fail(_ error: AuthenticationError, by clock: any AuthenticationClock) {
    failure = error.isSilent ? nil : FlowFailure(error, after: failure, by: clock)
  }

  package var focus: Focus {
    form.focus ?? failure?.focus ?? Focus(.field(SignInMethod.Need.password.id), turn: 0)
  }
}

/// What a new password must be like: an open set, shown before anything is typed.
public struct PasswordRule: Sendable, Hashable, Identifiable {
  /// Stable identifier; the words have its sentence as `password.rule.` and this.
  public let id: String
  /// A number in its sentence, such as the fewest characters; nil if there is none.
  public let count: Int?
  private let isMetByIts: @Sendable (String) -> Bool

  /// A rule of your own.
  public init(id: String, count: Int? = nil, isMet: @escaping @Sendable (String) -> Bool) {
    self.id = id
    self.count = count
    isMetByIts = isMet
  }

  /// Whether a password meets it. Characters are counted, whatever their alphabet.
  public func isMet(by password: String) -> Bool { isMetByIts(password) }

  /// At least so many characters (Unicode code points).
  public static func length(_ count: Int) -> Self {
    Self(id: "length", count: count) { $0.unicodeScalars.count >= count }
  }
  /// An upper-case letter.
  public static let uppercase = Self(id: "uppercase") { $0.contains(where: \.isUppercase) }
  /// A lower-case letter.
  public static let lowercase = Self(id: "lowercase") { $0.contains(where: \.isLowercase) }
  /// A digit.
  public static let digit = Self(id: "digit") { $0.contains(where: \.isNumber) }
  /// A character that is neither letter nor digit.
  public static let symbol = Self(id: "symbol") { text in
    text.contains { !$0.isLetter && !$0.isNumber && !$0.isWhitespace }
  }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id && lhs.count == rhs.count }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(count)
  }
}
