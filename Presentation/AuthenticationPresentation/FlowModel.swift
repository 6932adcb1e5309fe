public import AuthenticationDomain
public import Observation

/// A flow of screens: where it stands, and what a screen says besides.
///
/// Each property of its ``FlowStatus`` is a property of the model, too: `model.title`, `model.failureSentence`.
@MainActor
@dynamicMemberLookup
public protocol FlowModel: AnyObject, Observable {
  /// Every place where the flow can stand.
  associatedtype State: Sendable

  /// Where the flow stands: one value, whose payloads exist only where they mean something.
  var state: State { get }
  /// The sentences that the user reads.
  var words: Words { get }
  /// What the screen says besides the state, from which all of it is derived.
  var status: FlowStatus { get }

  /// Returns when no request is in flight: for tests and scripts.
  func finished() async
}

extension FlowModel {
  /// Returns a property of the status.
  public subscript<Value>(dynamicMember path: KeyPath<FlowStatus, Value>) -> Value { status[keyPath: path] }
}

/// A flow of this package: the status of its model, and its part in a sign-in of several steps.
@MainActor package protocol LibraryFlow: FlowModel {
  /// The status in this state.
  var currentStatus: FlowStatus { get }
  /// The model of another flow that is shown in this state; nil if none is.
  var nested: (any FlowModel)? { get }
  /// Is told what comes after the flow, where it is a step of a sign-in.
  var onEnd: (@MainActor (StepEnd) -> Void)? { get set }
  /// Shows at once what the followed attempt has not told yet.
  func catchUp()
  /// Returns when no request of this flow is in flight, whatever the nested one does.
  func ownRequestsFinished() async
}

extension LibraryFlow {
  /// What the screen says besides the state.
  public var status: FlowStatus { currentStatus }
  package var nested: (any FlowModel)? { nil }

  /// Returns when no request is in flight: for tests and scripts.
  public func finished() async {
    await nested?.finished()
    await ownRequestsFinished()
  }
}

/// What a screen of a flow says: derived from its state, and never stored.
public struct FlowStatus: Sendable, Equatable {
  /// What the step that is shown is called: its heading.
  public package(set) var title = ""
  /// What is being done, for assistive technology; nil while no request is in flight.
  public package(set) var activity: String?
  /// Why the last intent failed; nil while a request is in flight.
  public package(set) var failure: FlowFailure?
  /// A sentence for the failure, or for the first thing that is wrong with what was typed. It holds no secret and no
  /// text of a server.
  public package(set) var failureSentence: String?
  /// What is wrong with what was typed, in the order of the screen; empty until a submit has failed.
  public package(set) var problems: [AuthenticationError] = []
  /// Where the focus belongs.
  public package(set) var focus: Focus?
  /// What assistive technology says.
  public package(set) var announcement: Announcement?
  /// What a screen says below its heading, such as where a code was sent to.
  public package(set) var explanations: [String] = []
  /// Whether a response is awaited, or the user is asked outside of the app.
  public package(set) var isWorking = false
  /// Seconds until what is shown expires or, after too many tries, until the next one; nil if that is not known.
  public package(set) var secondsLeft: Int?
  /// Seconds until another code or link may be sent; zero if it may be sent now, nil if none can be.
  public package(set) var secondsToResend: Int?

  init() {}

  /// - Parameters:
  ///   - title: the key of the heading.
  ///   - words: the sentences of the model.
  ///   - heading: in place of the sentence of the key.
  ///   - activity: the key of what is being done.
  ///   - failure: why the last intent failed.
  ///   - form: the form that is shown, for its problems and its focus.
  ///   - problems: what is wrong where there is no form.
  ///   - focus: where it belongs; by default at the first problem of the form, or at the failure.
  ///   - urgency: how the heading is announced; nil does not announce it.
  ///   - announcement: by default the activity. A failure has the focus, which has it read: announced as well, it would
  ///     be heard twice.
  ///   - explanations: what is said below the heading.
  package init(
    _ title: WordKey, in words: Words, heading: String? = nil, activity: WordKey? = nil, failure: FlowFailure? = nil,
    form: EntryForm? = nil, problems: [AuthenticationError] = [], focus: Focus? = nil,
    announced urgency: Announcement.Urgency? = nil, announcement: Announcement? = nil, explanations: [String] = []
  ) {
    self.title = heading ?? words(title)
    self.activity = activity.map { words($0) }
    isWorking = activity != nil
    self.failure = failure
    self.problems = form?.problems ?? problems
    failureSentence =
      failure.map { words.sentence(for: $0.error) } ?? self.problems.first.map { words.sentence(for: $0) }
    self.focus = focus ?? form?.focus ?? failure?.focus
    let heading = urgency.map { [title = self.title] in Announcement(title, $0) }
    self.announcement = announcement ?? heading ?? activity.map { Announcement(words($0)) }
    self.explanations = explanations
  }
}

/// What all models share: the one state, and what they follow to change it.
@MainActor @Observable open class Flow<State: Sendable> {
  /// Where the flow stands: one value, whose payloads exist only where they mean something.
  public package(set) var state: State
  package let flows: FlowEnvironment
  package let call = CurrentCall()
  package let alarm: Alarm
  /// Is told what comes after the flow, where it is a step of a sign-in.
  @ObservationIgnored package var onEnd: (@MainActor (StepEnd) -> Void)?
  /// The attempt that is followed; nil if none is.
  @ObservationIgnored private(set) var followed: SignInAttempt?
  @ObservationIgnored private var following: Task<Void, Never>?
  @ObservationIgnored private var followingSession: Task<Void, Never>?
  @ObservationIgnored private var isDone = false

  package init(_ state: State, in flows: FlowEnvironment) {
    self.state = state
    self.flows = flows
    alarm = Alarm(flows.clock)
  }

  deinit {
    following?.cancel()
    followingSession?.cancel()
  }

  /// The sentences that the user reads.
  public var words: Words { flows.words }

  /// How what is typed is cleaned and checked.
  package var rules: FieldRules { flows.rules }

  package func ownRequestsFinished() async {
    while let attempt = followed {
      let state = await attempt.settled()
      guard attempt === followed else { continue }
      show(state, of: attempt)
      if attempt === followed { break }
    }
    await call.finished()
  }

  /// Shows where the followed attempt stands.
  func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {}

  /// Shows at once what the followed attempt has not told yet.
  package func catchUp() {
    if let followed { show(followed.state, of: followed) }
  }

  /// Shows what is known of the session, where it is followed.
  func show(_ known: AuthenticationState) {}
}

extension Flow {
  /// Shows the state of an attempt now, then each later one; what an earlier attempt still tells is dropped.
  func follow(_ attempt: SignInAttempt) {
    stopFollowing()
    followed = attempt
    isDone = false
    let states = attempt.states()
    following = Task { [weak self] in
      // An element only signals that there is a state: it may be outdated by now.
      for await _ in states {
        guard let self, followed === attempt else { return }
        show(attempt.state, of: attempt)
      }
    }
    show(attempt.state, of: attempt)
  }

  func stopFollowing() {
    following?.cancel()
    following = nil
    followed = nil
  }

  /// Cancels the attempt, and shows nothing more of it; one that has signed in already is shown as it ended.
  ///
  /// - Returns: false if it has signed in.
  func cancelAttempt() -> Bool {
    if let followed, !followed.state.isEnded {
      followed.cancel()
      if case .ended(.signedIn) = followed.state {
        show(followed.state, of: followed)
        return false
      }
    }
    stopFollowing()
    return true
  }

  /// Shows the state of the session now, then each later one, until the model is released.
  func followSession() {
    show(flows.control.state)
    let states = flows.control.states()
    followingSession = Task { [weak self, control = flows.control] in
      for await _ in states { self?.show(control.state) }
    }
  }

  /// Begins an attempt, shows the state that waits for it, sends it, and follows it.
  ///
  /// - Parameters:
  ///   - former: an attempt that goes on in place of a new one.
  ///   - waiting: the state until the response comes.
  ///   - failed: the state where no attempt can begin.
  func begin(
    _ method: SignInMethod, reusing former: SignInAttempt? = nil, _ waiting: State,
    orElse failed: (FlowFailure) -> State, send: (SignInAttempt) -> Void
  ) {
    do throws(AuthenticationError) {
      let attempt = if let former { former } else { try flows.attempts.begin(method) }
      state = waiting
      send(attempt)
      follow(attempt)
    } catch {
      state = failed(flows.failure(error))
    }
  }

  /// Shows a state that ends the flow without a session.
  func leave(to state: State) {
    self.state = state
    onEnd?(.left)
  }
}

/// The states of a step that ends with a session, or with another step.
protocol StepState {
  static func next(_ challenge: Challenge) -> Self
  static func done(_ session: AuthSession) -> Self
}

extension Flow where State: StepState {
  /// Goes on with what the provider asks next, or with the session.
  ///
  /// - Parameter leave: called where the attempt has ended without a session.
  func goOn(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt, orElse leave: () -> Void) {
    switch attemptState {
    case .collecting, .submitting, .externalInteraction, .failed: break
    case .challenged(let challenge, _): goOn(to: challenge, of: attempt)
    case .ended(.signedIn(let user)): if !finish(user, of: attempt) { leave() }
    case .ended: leave()
    }
  }

  func goOn(to challenge: Challenge, of attempt: SignInAttempt) {
    state = .next(challenge)
    onEnd?(.next(attempt))
  }

  /// Ends with the session that the attempt made, once.
  ///
  /// - Returns: false if another user has signed in since, or none is signed in.
  private func finish(_ user: User, of attempt: SignInAttempt) -> Bool {
    if isDone { return true }
    guard let current = flows.control.state.session, current.user.isSame(as: user) else { return false }
    // A use case of the app's own tells no more than the user.
    let session = attempt.session ?? current
    isDone = true
    flows.lastMethod.write(attempt.method.id)
    state = .done(session)
    onEnd?(.done(session))
    return true
  }
}

/// Why the last intent of a flow failed.
public struct FlowFailure: Sendable, Equatable {
  /// What happened; its texts are for a developer.
  public let error: AuthenticationError
  /// Before this another try is refused; nil if that is not known.
  package let retryAt: Deadline?
  /// Counts the failures: the same failure again is another one to focus and to announce.
  package let turn: Int

  package var focus: Focus { .message(turn: turn) }

  package init(_ error: AuthenticationError, after former: FlowFailure? = nil, by clock: any AuthenticationClock) {
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

/// Where the focus of keyboard and assistive technology belongs now.
///
/// A view moves the focus whenever this value changes. The turn counts how often it was moved there, so that each time
/// it is another one.
public enum Focus: Sendable, Hashable {
  /// The heading of a step that has just been reached.
  case heading
  /// What failed.
  case message(turn: Int)
  /// An input, by the id of its need; a code has the id `code`.
  case field(String, turn: Int = 0)

  package var isMessage: Bool { if case .message = self { true } else { false } }
  package var field: String? { if case .field(let id, _) = self { id } else { nil } }
}

/// What assistive technology says although the focus stays where it is (WCAG 2.2, 4.1.3).
///
/// A view announces it whenever this value changes. Seconds that count down are not announced one by one.
public struct Announcement: Sendable, Hashable {
  package enum Urgency: Sendable { case polite, assertive }

  /// What is said.
  public let text: String
  /// Whether it is said at once (`role=alert`), and not after what is being said (`role=status`).
  public var isAssertive: Bool { urgency == .assertive }
  private let urgency: Urgency
  /// Tells the same words said again from words that stay.
  package let turn: Int

  package init(_ text: String, _ urgency: Urgency = .polite, turn: Int = 0) {
    self.text = text
    self.urgency = urgency
    self.turn = turn
  }
}
