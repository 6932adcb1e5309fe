public import AuthenticationDomain
public import Observation

/// Shows an account, changes it, and deletes it.
///
/// ```swift
/// let model = AccountModel(AccountParts(root.account), of: user, in: flows)
/// model.load()
/// ```
@MainActor
@Observable
public final class AccountModel: FlowModel {
  /// Where it stands.
  public enum State: Sendable {
    /// It is asked for.
    case loading(call: Int)
    /// It cannot be shown.
    case unavailable(FlowFailure?)
    /// It is shown; the failure says why the last change did not do.
    case shown(AccountOverview, FlowFailure?)
    /// A change is on its way.
    case changing(AccountOverview, AccountChange, call: Int)
    /// The code of a new factor is asked for; what to show while it is enrolled is in its challenge.
    case enrolling(AccountOverview, CodeEntry)
    /// That code is verified.
    case verifying(AccountOverview, CodeEntry, call: Int)
    /// The provider asks for a step that takes more than a code, such as a passkey that is created.
    case next(AccountOverview, Challenge)
    /// The person confirms that the account is deleted for ever, or keeps it.
    case confirmingDeletion(AccountOverview)
    /// It is deleted.
    case deleting(AccountOverview, call: Int)
    /// The person must show again who they are; the deletion or the change then goes on, once.
    case reauthenticating(AccountOverview, ReauthenticationModel)
    /// It is deleted, and nobody is signed in.
    case deleted
  }

  public package(set) var state = State.unavailable(nil)
  public var words: Words { flows.words }

  @ObservationIgnored let parts: AccountParts
  @ObservationIgnored package let user: User
  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored let call = CurrentCall()
  @ObservationIgnored let expiry: Alarm

  /// Shows nothing before ``load()``.
  public init(_ parts: AccountParts, of user: User, in flows: FlowEnvironment) {
    self.parts = parts
    self.user = user
    self.flows = flows
    expiry = Alarm(flows.clock)
  }

  /// What is shown; nil while nothing is.
  public var overview: AccountOverview? {
    switch state {
    case .shown(let overview, _), .changing(let overview, _, _), .enrolling(let overview, _),
      .verifying(let overview, _, _), .next(let overview, _), .confirmingDeletion(let overview),
      .deleting(let overview, _), .reauthenticating(let overview, _):
      overview
    case .loading, .unavailable, .deleted: nil
    }
  }

  /// The code of the factor that is enrolled, as typed or pasted.
  public var code: String {
    get { if case .enrolling(_, let entry) = state { entry.text } else { "" } }
    set {
      guard case .enrolling(let overview, var entry) = state else { return }
      entry.text = newValue
      state = .enrolling(overview, entry)
    }
  }
}
