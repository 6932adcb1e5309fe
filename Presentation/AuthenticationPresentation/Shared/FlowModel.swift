public import AuthenticationDomain
public import Observation

/// What every model of a flow says besides its state; all of it is derived from the state.
@MainActor
public protocol FlowModel: AnyObject, Observable {
  /// Every place where the flow can stand.
  associatedtype State: Sendable

  /// Where the flow stands: one value, whose payloads exist only where they mean something.
  var state: State { get }
  /// What is said to the user.
  var words: Words { get }
  /// What the step that is shown is called: its heading.
  var title: String { get }
  /// What is being done, for assistive technology; nil while nothing is on its way.
  var activity: String? { get }
  /// Why the last intent did not do; nil while something is on its way.
  var failure: FlowFailure? { get }
  /// What is wrong with what was typed, in the order of the screen; empty until a submit has failed.
  var problems: [AuthenticationError] { get }
  /// Where the focus belongs.
  var focus: Focus? { get }
  /// What assistive technology says.
  var announcement: Announcement? { get }

  /// Returns when nothing is on its way: for tests and scripts.
  func finished() async
}

extension FlowModel {
  /// A sentence for the failure, or for the first thing that is wrong with what was typed. It holds no secret and no
  /// word of a server.
  public var failureSentence: String? {
    failure.map { words.sentence(for: $0.error) } ?? problems.first.map { words.sentence(for: $0) }
  }

  public var activity: String? { nil }

  public var problems: [AuthenticationError] { [] }

  public var focus: Focus? { failure?.focus }

  // The focus on the message has it read: said twice, it would be heard twice.
  public var announcement: Announcement? { activity.map { Announcement($0) } }

  public func finished() async {}
}

/// What the models of the flows are made of. One environment serves all screens of a client.
///
/// ```swift
/// let flows = root.flows(in: Words(.german))
/// let model = AuthenticationViewModel(flows)
/// ```
public struct FlowEnvironment: Sendable {
  /// The ways to sign in.
  public let attempts: SignInAttempts
  /// Who is signed in.
  public let control: any SessionControl
  /// The time.
  public let clock: any AuthenticationClock
  /// What is said to the user.
  public var words: Words
  /// How what is typed is cleaned and checked.
  public var rules = FieldRules()
  /// What a new password must be like, from the provider's configuration.
  public var passwordRules: [PasswordRule] = []
  /// Whether a step that was pending when the app was closed is shown again; otherwise it is removed.
  public var restoresPendingStep = true
  /// The method that was used last on this device, and how to keep it; without the name of anybody.
  public var lastMethod = LastMethod()

  private(set) var failures = FailureCount()
  package private(set) var erasure = SessionErasure()

  /// Composes an environment.
  public init(
    attempts: SignInAttempts, control: any SessionControl, clock: any AuthenticationClock = SystemClock(),
    words: Words = Words()
  ) {
    self.attempts = attempts
    self.control = control
    self.clock = clock
    self.words = words
  }

  /// The same environment with attempts that prove who is signed in.
  package func reauthenticating(_ user: User) -> FlowEnvironment {
    var flows = FlowEnvironment(
      attempts: attempts.reauthenticating(user), control: control, clock: clock, words: words)
    (flows.rules, flows.passwordRules) = (rules, passwordRules)
    (flows.lastMethod, flows.failures, flows.erasure) = (lastMethod, failures, erasure)
    return flows
  }
}

/// A hint on the list of methods: the id of the one that was used last, wherever the app keeps it.
public struct LastMethod: Sendable {
  let read: @Sendable () -> String?
  let write: @Sendable (String) -> Void

  /// Keeps nothing unless told otherwise.
  public init(read: @escaping @Sendable () -> String? = { nil }, write: @escaping @Sendable (String) -> Void = { _ in })
  {
    self.read = read
    self.write = write
  }
}

/// Why the last intent of a flow did not do.
public struct FlowFailure: Sendable, Equatable {
  /// What happened; its texts are for a developer.
  public let error: AuthenticationError
  /// Before this another try is refused; nil if nobody said so.
  public let retryAt: Deadline?
  /// Counts the failures: the same failure again is another one to focus and to announce.
  public let turn: Int

  /// How many wrong answers the provider still takes; nil if it did not say.
  public var attemptsLeft: Int? { error.attemptsLeft }

  package var focus: Focus { Focus(.message, turn: turn) }

  package init(
    _ error: AuthenticationError, after former: FlowFailure? = nil, by clock: any AuthenticationClock
  ) {
    self.init(error, turn: (former?.turn ?? 0) + 1, by: clock)
  }

  init(_ error: AuthenticationError, turn: Int, by clock: any AuthenticationClock) {
    self.error = error
    retryAt = error.retryAfter.map { Deadline(in: $0, by: clock) }
    self.turn = turn
  }
}

extension AuthenticationError {
  /// Whether it is nothing to tell a user: they left, or something newer is on the screen.
  package var isSilent: Bool { [.cancelled, .superseded].contains(self) }
}

/// A flow that is a step of a sign-in.
@MainActor
protocol StepModel: FlowModel {
  /// Is told what comes after it.
  var onEnd: (@MainActor (StepEnd) -> Void)? { get set }
}

/// What comes after a step of a sign-in.
enum StepEnd {
  /// What the attempt asks next.
  case next(SignInAttempt)
  /// The choice among the factors of the attempt.
  case factors(SignInAttempt)
  /// The user chose a method.
  case chosen(SignInMethod)
  case done(SignInCompletion)
  /// The user left it, or it cannot go on.
  case left
}

/// Where the focus of keyboard and assistive technology belongs now.
///
/// A view moves the focus whenever this value changes: ``turn`` differs each time.
public struct Focus: Sendable, Hashable {
  /// A place on the screen of a flow.
  public enum Target: Sendable, Hashable {
    /// The heading of a step that has just been reached.
    case heading
    /// What failed.
    case message
    /// An input, by the id of its need; a code has the id `code`.
    case field(String)
  }

  /// Where it belongs.
  public let target: Target
  /// Counts how often it was moved there.
  public let turn: Int

  package init(_ target: Target, turn: Int) {
    self.target = target
    self.turn = turn
  }
}

/// What assistive technology says although the focus stays where it is (WCAG 2.2, 4.1.3).
///
/// A view announces it whenever this value changes. Seconds that count down are not announced one by one.
public struct Announcement: Sendable, Hashable {
  /// How it interrupts what is being said.
  public enum Urgency: Sendable {
    /// After what is being said (`role=status`).
    case polite
    /// At once (`role=alert`).
    case assertive
  }

  /// What is said.
  public let text: String
  /// How it interrupts.
  public let urgency: Urgency
  /// Tells the same words said again from words that stay.
  public let turn: Int

  package init(_ text: String, _ urgency: Urgency = .polite, turn: Int = 0) {
    self.text = text
    self.urgency = urgency
    self.turn = turn
  }
}

/// Calls at one deadline; setting another one replaces it.
@MainActor
package final class Alarm {
  private let clock: any AuthenticationClock
  private var deadline: Deadline?
  private var task: Task<Void, Never>?

  package init(_ clock: any AuthenticationClock) { self.clock = clock }

  deinit { task?.cancel() }

  /// Does nothing if it is set to this deadline already.
  package func set(_ deadline: Deadline?, _ ring: @escaping @MainActor () -> Void) {
    guard deadline != self.deadline else { return }
    self.deadline = deadline
    task?.cancel()
    task = nil
    guard let deadline else { return }
    task = Task { [clock, weak self] in
      guard (try? await clock.sleep(for: deadline.timeLeft(by: clock))) != nil, let self, self.deadline == deadline
      else { return }
      self.deadline = nil
      ring()
    }
  }
}
