public import AuthenticationDomain
public import Observation

/// Signs in by a link in an e-mail, which belongs to the attempt that asked for it.
///
/// ```swift
/// let model = EmailLinkModel(in: flows)
/// model.email = typed
/// model.submit()
/// // The system passes a link to the app:
/// await model.open(Secret(url.absoluteString))
/// ```
@MainActor
@Observable
public final class EmailLinkModel: FormModel, StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The user enters the address.
    case askingEmail(EntryForm, FlowFailure?)
    /// A link was asked for.
    case sending(EntryForm, attempt: String)
    /// The link is on its way to the user.
    case waiting(LinkWait)
    /// Another link was asked for; its coming is not said before the answer.
    case resending(LinkWait)
    /// A link was opened, and is verified.
    case verifying(LinkWait)
    /// A link was opened that no attempt here asked for, perhaps on another device: it takes the address as well.
    case openedElsewhere(EntryForm, FlowFailure?, attempt: String)
    /// Both are verified.
    case proving(EntryForm, attempt: String)
    /// The link is taken no more.
    case expired(LinkWait)
    /// The provider asks for another step.
    case next(Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
  }

  public package(set) var state: State {
    didSet { if let stepEnd { onEnd?(stepEnd) } }
  }
  public var words: Words { flows.words }
  public var rules: FieldRules { flows.rules }

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored let following = AttemptFollowing()
  @ObservationIgnored let expiry: Alarm

  /// Asks for the address; no attempt begins before the first submit.
  public init(in flows: FlowEnvironment, email: String = "") {
    self.flows = flows
    expiry = Alarm(flows.clock)
    state = .askingEmail(Self.form(email), nil)
  }

  /// Goes on with an attempt that waits for its link, or has one and wants the address; nil for any other one.
  public init?(_ attempt: SignInAttempt, in flows: FlowEnvironment, isRestored: Bool = false) {
    self.flows = flows
    expiry = Alarm(flows.clock)
    switch attempt.state {
    case .challenged(let challenge, _) where challenge.kind == .link:
      state = .waiting(LinkWait(challenge, of: attempt, isRestored: isRestored, by: flows.clock))
    case .collecting where attempt.method == .emailLink:
      state = .openedElsewhere(Self.form(""), nil, attempt: attempt.id)
    default: return nil
    }
    follow(attempt)
  }

  private static func form(_ email: String) -> EntryForm { EntryForm([.emailAddress], filled: [.emailAddress: email]) }

  public var form: EntryForm? {
    switch state {
    case .askingEmail(let form, _), .openedElsewhere(let form, _, _), .sending(let form, _), .proving(let form, _): form
    default: nil
    }
  }

  /// The address, as typed.
  public var email: String {
    get { self[.emailAddress] }
    set { self[.emailAddress] = newValue }
  }

  public subscript(need: SignInMethod.Need) -> String {
    get { form?[need] ?? "" }
    set {
      guard var form else { return }
      form.type(newValue, into: need, flows.rules)
      switch state {
      case .askingEmail(_, let failure): state = .askingEmail(form, failure)
      case .openedElsewhere(_, let failure, let id): state = .openedElsewhere(form, failure, attempt: id)
      default: break
      }
    }
  }

  private var stepEnd: StepEnd? {
    switch state {
    case .next: following.attempt.map { .next($0) }
    case .done(let completion): .done(completion)
    default: nil
    }
  }

  public var failure: FlowFailure? {
    switch state {
    case .askingEmail(_, let failure), .openedElsewhere(_, let failure, _): failure
    case .waiting(let wait): wait.failure
    default: nil
    }
  }
}

extension EmailLinkModel {
  /// Asks for a link, or proves with the address the one that was opened.
  public func submit(_ input: SignInInput = SignInInput()) {
    guard var form else { return }
    let fields = form.submit(flows.rules)
    switch state {
    case .askingEmail:
      guard let fields else { return state = .askingEmail(form, nil) }
      do throws(AuthenticationError) {
        let attempt = try flows.attempts.begin(.emailLink)
        state = .sending(form, attempt: attempt.id)
        send(fields, input, attempt)
      } catch {
        state = .askingEmail(form, flows.failure(error))
      }
    case .openedElsewhere(_, _, let id):
      guard let fields, let attempt = following.attempt else {
        return state = .openedElsewhere(form, nil, attempt: id)
      }
      state = .proving(form, attempt: id)
      send(fields, input, attempt)
    default: break
    }
  }

  private func send(_ fields: [SignInMethod.Need: String], _ input: SignInInput, _ attempt: SignInAttempt) {
    attempt.submit(input.with(fields, for: .emailLink))
    follow(attempt)
  }

  /// Takes a link that the system passed to the app. One that this attempt did not ask for is refused in words.
  public func open(_ link: Secret) async {
    do throws(AuthenticationError) {
      let attempt = try await flows.attempts.open(link)
      if case .waiting(let wait) = state { state = .verifying(wait) }
      follow(attempt)
    } catch {
      if case .waiting(var wait) = state {
        wait.failure = flows.failure(error)
        state = .waiting(wait)
      } else if case .askingEmail(let form, _) = state {
        state = .askingEmail(form, flows.failure(error))
      }
    }
  }

  /// Whether another link may be sent now.
  public var canResend: Bool {
    switch state {
    case .waiting(let wait), .expired(let wait): wait.resendAt?.isOver(by: flows.clock) ?? false
    default: false
    }
  }

  /// Has another link sent to the same address. Does nothing before it may.
  public func resend() {
    guard canResend, let attempt = following.attempt else { return }
    switch state {
    case .waiting(let wait), .expired(let wait): state = .resending(wait)
    default: return
    }
    attempt.resend()
    show(attempt.state, of: attempt)
  }

  /// Asks for the address again; what was sent is taken no more.
  public func startAgain() {
    guard following.cancel() else { return }
    state = .askingEmail(form ?? EntryForm([.emailAddress]), nil)
  }

  public func finished() async { await following.finished() }

  func follow(_ attempt: SignInAttempt) {
    following.follow(attempt) { [weak self] in self?.show($0, of: attempt) }
    watchExpiry()
  }

  private func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    switch attemptState {
    case .collecting:
      if case .openedElsewhere = state { return }
      state = .openedElsewhere(EntryForm([.emailAddress]), nil, attempt: attempt.id)
    case .submitting, .externalInteraction:
      if case .waiting(let wait) = state { state = .verifying(wait) }
      if case .expired(let wait) = state { state = .verifying(wait) }
    case .challenged(let challenge, let error): show(challenge, error, of: attempt)
    case .failed(let error): fail(error)
    case .ended(.signedIn(let user)):
      if case .done = state { return }
      state =
        SignInCompletion(user, of: attempt, by: flows.control).map(State.done)
        ?? .askingEmail(EntryForm([.emailAddress]), nil)
    case .ended: state = .askingEmail(form ?? EntryForm([.emailAddress]), nil)
    }
  }

  private func show(_ challenge: Challenge, _ error: AuthenticationError?, of attempt: SignInAttempt) {
    guard challenge.kind == .link else { return state = .next(challenge, attempt: attempt.id) }
    var wait = LinkWait(challenge, of: attempt, by: flows.clock)
    switch state {
    case .waiting(let former) where former.challenge.handle == challenge.handle: return
    case .expired(let former) where former.challenge.handle == challenge.handle: return
    case .verifying(let former) where error == .codeExpired: return state = .expired(former)
    case .verifying(let former), .resending(let former): wait.failure = former.failure
    default: break
    }
    if let error, !error.isSilent { wait.failure = flows.failure(error) }
    state = .waiting(wait)
    watchExpiry()
  }

  private func fail(_ error: AuthenticationError) {
    let failure = error.isSilent ? nil : flows.failure(error)
    switch state {
    case .sending(let form, _): state = .askingEmail(form, failure)
    case .proving(let form, let id): state = .openedElsewhere(form, failure, attempt: id)
    case .verifying(let wait), .resending(let wait):
      if [.signInExpired, .codeExpired].contains(error) { return state = .expired(wait) }
      state = .askingEmail(EntryForm([.emailAddress]), failure)
    case .waiting: state = .askingEmail(EntryForm([.emailAddress]), failure)
    default: break
    }
  }

  private func watchExpiry() {
    guard case .waiting(let wait) = state else { return expiry.set(nil) {} }
    expiry.set(wait.expiresAt) { [weak self] in
      if case .waiting(let wait) = self?.state { self?.state = .expired(wait) }
    }
  }
}

extension EmailLinkModel {
  public var title: String {
    switch state {
    case .openedElsewhere, .proving: words("link.elsewhere.title")
    case .expired: words("link.expired.title")
    case .waiting, .verifying, .resending: words("link.waiting.title")
    case .askingEmail, .sending, .next, .done: words("link.ask.title")
    }
  }

  public var isWorking: Bool {
    switch state {
    case .sending, .proving, .verifying, .resending: true
    default: false
    }
  }

  public var activity: String? {
    switch state {
    case .sending, .resending: words("link.ask.working")
    case .proving, .verifying: words("form.submit.working")
    default: nil
    }
  }

  /// Seconds until another link may be sent; zero if it may be sent now, nil if none can be.
  public var secondsToResend: Int? {
    switch state {
    case .waiting(let wait), .expired(let wait): wait.resendAt?.secondsLeft(by: flows.clock)
    default: nil
    }
  }

  public var announcement: Announcement? {
    switch state {
    case .waiting(let wait) where wait.failure == nil && !wait.isRestored: Announcement(title)
    case .expired: Announcement(title, .assertive)
    default: activity.map { Announcement($0) }
    }
  }
}

/// A link that is on its way to a user.
public struct LinkWait: Sendable, Equatable {
  /// What waits for it.
  public let challenge: Challenge
  /// The id of the attempt that asked for it: another one's link is refused.
  public let attempt: String
  /// Before this no other link can be sent; nil if none can be sent at all.
  public let resendAt: Deadline?
  /// When the provider takes it no more; nil if that is not known.
  public let expiresAt: Deadline?
  /// Whether it was pending when the app was closed: nothing was sent for it since.
  public let isRestored: Bool
  /// Why the last link did not do.
  public internal(set) var failure: FlowFailure?

  init(
    _ challenge: Challenge, of attempt: SignInAttempt, isRestored: Bool = false, by clock: any AuthenticationClock
  ) {
    self.challenge = challenge
    self.attempt = attempt.id
    resendAt = attempt.timeToResend().map { Deadline(in: $0, by: clock) }
    expiresAt = attempt.timeLeft().map { Deadline(in: $0, by: clock) }
    self.isRestored = isRestored
  }

  /// For a preview.
  package init(
    _ challenge: Challenge, attempt: String, resendAt: Deadline?, expiresAt: Deadline?, isRestored: Bool = false,
    failure: FlowFailure? = nil
  ) {
    self.challenge = challenge
    self.attempt = attempt
    self.resendAt = resendAt
    self.expiresAt = expiresAt
    self.isRestored = isRestored
    self.failure = failure
  }

  /// Where it went, masked by the provider.
  public var destination: String? { challenge.destination }
}
