public import AuthenticationDomain

/// Signs in by a link in an e-mail, which belongs to the attempt that asked for it.
///
/// ```swift
/// let model = EmailLinkModel(in: flows)
/// model.email = typed
/// model.submit()
/// // The system passes a link to the app:
/// await model.open(Secret(url.absoluteString))
/// ```
public final class EmailLinkModel: Flow<EmailLinkModel.State>, FormModel, StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable, StepState {
    /// The user enters the address.
    case askingEmail(EntryForm, FlowFailure?)
    /// A link was asked for.
    case sending(EntryForm, attempt: String)
    /// The link was sent to the user.
    case waiting(LinkWait)
    /// Another link was asked for; that it was sent is not said before the response.
    case resending(LinkWait)
    /// A link was opened, and is verified.
    case verifying(LinkWait)
    /// A link was opened that no attempt here asked for, perhaps on another device: it takes the address as well.
    case openedElsewhere(EntryForm, FlowFailure?, attempt: String)
    /// Both are verified.
    case proving(EntryForm, attempt: String)
    /// The link has expired.
    case expired(LinkWait)
    /// The provider asks for another step.
    case next(Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
  }

  /// Asks for the address; no attempt begins before the first submit.
  ///
  /// - Parameters:
  ///   - flows: what the models of one app share.
  ///   - email: what is known of the address.
  public init(in flows: FlowEnvironment, email: String = "") {
    super.init(.askingEmail(EntryForm([.emailAddress], filled: [.emailAddress: email]), nil), in: flows)
  }

  /// Goes on with an attempt that waits for its link, or has one and wants the address; nil for any other one.
  ///
  /// - Parameters:
  ///   - attempt: the one that asked for the link.
  ///   - flows: what the models of one app share.
  ///   - isRestored: whether it was pending when the app was closed.
  public init?(_ attempt: SignInAttempt, in flows: FlowEnvironment, isRestored: Bool = false) {
    switch attempt.state {
    case .challenged(let challenge, _) where challenge.kind == .link:
      super.init(.waiting(LinkWait(challenge, of: attempt, isRestored: isRestored, by: flows.clock)), in: flows)
    case .collecting where attempt.method == .emailLink:
      super.init(.openedElsewhere(EntryForm([.emailAddress]), nil, attempt: attempt.id), in: flows)
    default: return nil
    }
    follow(attempt)
    watchExpiry()
  }

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
      form.type(newValue, into: need, rules)
      switch state {
      case .askingEmail(_, let failure): state = .askingEmail(form, failure)
      case .openedElsewhere(_, let failure, let id): state = .openedElsewhere(form, failure, attempt: id)
      default: break
      }
    }
  }

  public var status: FlowStatus {
    switch state {
    case .askingEmail(let form, let failure): FlowStatus("link.ask.title", in: words, failure: failure, form: form)
    case .sending(let form, _): FlowStatus("link.ask.title", in: words, activity: "link.ask.working", form: form)
    case .openedElsewhere(let form, let failure, _):
      FlowStatus("link.elsewhere.title", in: words, failure: failure, form: form)
    case .proving(let form, _):
      FlowStatus("link.elsewhere.title", in: words, activity: "form.submit.working", form: form)
    case .waiting(let wait):
      FlowStatus(
        "link.waiting.title", in: words, failure: wait.failure,
        announced: wait.failure == nil && !wait.isRestored ? .polite : nil)
    case .resending: FlowStatus("link.waiting.title", in: words, activity: "link.ask.working")
    case .verifying: FlowStatus("link.waiting.title", in: words, activity: "form.submit.working")
    case .expired: FlowStatus("link.expired.title", in: words, announced: .assertive)
    case .next, .done: FlowStatus("link.ask.title", in: words)
    }
  }

  /// Asks for a link, or proves with the address the one that was opened.
  public func submit(_ input: SignInInput = SignInInput()) {
    guard var form else { return }
    let fields = form.submit(rules)
    switch state {
    case .askingEmail:
      guard let fields else { return state = .askingEmail(form, nil) }
      begin(.emailLink) {
        .sending(form, attempt: $0)
      } orElse: {
        .askingEmail(form, flows.failure($0))
      } send: {
        $0.submit(input.with(fields, for: .emailLink))
      }
    case .openedElsewhere(_, _, let id):
      guard let fields, let attempt = followed else { return state = .openedElsewhere(form, nil, attempt: id) }
      state = .proving(form, attempt: id)
      attempt.submit(input.with(fields, for: .emailLink))
      follow(attempt)
    default: return
    }
    watchExpiry()
  }

  /// Takes a link that the system passed to the app. One that this attempt did not ask for is refused in words.
  public func open(_ link: Secret) async {
    do throws(AuthenticationError) {
      let attempt = try await flows.attempts.open(link)
      if case .waiting(let wait) = state { state = .verifying(wait) }
      follow(attempt)
      watchExpiry()
    } catch {
      if case .waiting(var wait) = state {
        wait.failure = flows.failure(error)
        state = .waiting(wait)
      } else if case .askingEmail(let form, _) = state {
        state = .askingEmail(form, flows.failure(error))
      }
    }
  }

  /// The link that may be sent again.
  private var resendable: LinkWait? {
    switch state {
    case .waiting(let wait), .expired(let wait): wait
    default: nil
    }
  }

  /// Seconds until another link may be sent; zero if it may be sent now, nil if none can be.
  public var secondsToResend: Int? { resendable?.resendAt?.secondsLeft(by: flows.clock) }

  /// Whether another link may be sent now.
  public var canResend: Bool { resendable?.resendAt?.isOver(by: flows.clock) ?? false }

  /// Has another link sent to the same address. Does nothing before it may.
  public func resend() {
    guard canResend, let wait = resendable, let attempt = followed else { return }
    state = .resending(wait)
    attempt.resend()
    show(attempt.state, of: attempt)
  }

  /// Asks for the address again; what was sent is accepted no more.
  public func startAgain() {
    if cancelAttempt() { askEmail() }
  }

  private func askEmail(_ failure: FlowFailure? = nil) {
    state = .askingEmail(form ?? EntryForm([.emailAddress]), failure)
  }

  override func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    switch attemptState {
    case .collecting:
      if case .openedElsewhere = state { return }
      state = .openedElsewhere(EntryForm([.emailAddress]), nil, attempt: attempt.id)
    case .submitting, .externalInteraction: if let wait = resendable { state = .verifying(wait) }
    case .challenged(let challenge, let error): show(challenge, error, of: attempt)
    case .failed(let error): fail(error)
    case .ended(.signedIn(let user)): if !finish(user, of: attempt) { askEmail() }
    case .ended: askEmail()
    }
  }

  private func show(_ challenge: Challenge, _ error: AuthenticationError?, of attempt: SignInAttempt) {
    guard challenge.kind == .link else { return goOn(to: .next(challenge, attempt: attempt.id), with: attempt) }
    var wait = LinkWait(challenge, of: attempt, by: flows.clock)
    switch state {
    case .waiting(let former) where former.challenge.handle == challenge.handle: return
    case .expired(let former) where former.challenge.handle == challenge.handle: return
    case .verifying(let former) where error == .codeExpired: return state = .expired(former)
    case .verifying(let former), .resending(let former): wait.failure = former.failure
    default: break
    }
    if let failure = error.flatMap(flows.visibleFailure) { wait.failure = failure }
    state = .waiting(wait)
    watchExpiry()
  }

  private func fail(_ error: AuthenticationError) {
    let failure = flows.visibleFailure(error)
    switch state {
    case .sending: askEmail(failure)
    case .proving(let form, let id): state = .openedElsewhere(form, failure, attempt: id)
    case .verifying(let wait), .resending(let wait):
      if [.signInExpired, .codeExpired].contains(error) { state = .expired(wait) } else { askEmail(failure) }
    case .waiting: askEmail(failure)
    default: break
    }
  }

  private func watchExpiry() {
    guard case .waiting(let wait) = state else { return alarm.set(nil) }
    alarm.set(wait.expiresAt) { [weak self] in
      if case .waiting(let wait) = self?.state { self?.state = .expired(wait) }
    }
  }
}

/// A link that was sent to a user, and is waited for.
public struct LinkWait: Sendable, Equatable {
  /// What waits for it.
  public let challenge: Challenge
  /// The id of the attempt that asked for it: another one's link is refused.
  package let attempt: String
  /// Before this no other link can be sent; nil if none can be sent at all.
  package let resendAt: Deadline?
  /// When it expires; nil if that is not known.
  package let expiresAt: Deadline?
  /// Whether it was pending when the app was closed: nothing was sent for it since.
  public let isRestored: Bool
  /// Why the last link was refused.
  package internal(set) var failure: FlowFailure?

  init(
    _ challenge: Challenge, of attempt: SignInAttempt, isRestored: Bool = false, by clock: any AuthenticationClock
  ) {
    self.init(
      challenge, attempt: attempt.id, resendAt: attempt.timeToResend().map { Deadline(in: $0, by: clock) },
      expiresAt: attempt.timeLeft().map { Deadline(in: $0, by: clock) }, isRestored: isRestored)
  }

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
}
