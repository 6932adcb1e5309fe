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
    /// The person enters the address.
    case askingEmail(EntryForm, FlowFailure?)
    /// A link was asked for.
    case sending(EntryForm, attempt: String)
    /// The link is on its way to the person.
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
