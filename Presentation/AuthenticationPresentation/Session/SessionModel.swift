public import AuthenticationDomain
public import Observation

/// Shows a session, and ends it: here, or on every device.
///
/// ```swift
/// let model = SessionModel(in: flows, provider: root.providerName, sessions: root.account) {
///   await root.manager.deliverRevocations()
/// }
/// model.signOut(everywhere: true)
/// ```
@MainActor
@Observable
public final class SessionModel: FlowModel {
  /// Ends what is queued at the provider, and returns what failed.
  public typealias Delivery = @Sendable () async -> [AuthenticationError]

  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// It is not known whether anybody is signed in.
    case unknown
    /// Somebody is signed in; the failure says why the last sign-out did not do.
    case shown(SessionSummary, FlowFailure?)
    /// Something would be lost for ever: the person confirms it, or keeps the session.
    case confirming(SessionSummary, SignOutLoss, everywhere: Bool)
    /// The session is erased here.
    case signingOut(SessionSummary, everywhere: Bool, call: Int)
    /// Nobody is signed in.
    case signedOut(SignOutReason, RemoteEnd)
  }

  public package(set) var state = State.unknown
  public var words: Words { flows.words }
  /// The provider's name, as the app shows it.
  public let provider: String?

  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored let sessions: (any SessionListUseCase)?
  @ObservationIgnored let deliver: Delivery?
  @ObservationIgnored let call = CurrentCall()
  @ObservationIgnored private let following = StateFollowing()

  /// Follows who is signed in.
  ///
  /// - Parameters:
  ///   - flows: what the models of one app share.
  ///   - provider: its name, as the person knows it; nil shows none.
  ///   - sessions: ends the sessions on other devices; nil if the provider cannot.
  ///   - deliver: waits for the provider's part of a sign-out; nil leaves it to the background.
  public init(
    in flows: FlowEnvironment, provider: String? = nil, sessions: (any SessionListUseCase)? = nil,
    deliver: Delivery? = nil
  ) {
    self.flows = flows
    self.provider = provider
    self.sessions = sessions
    self.deliver = deliver
    show(flows.control.state)
    following.follow(flows.control) { [weak self] in self?.show($0) }
  }

  /// What is known of the session; nil if nobody is signed in.
  public var summary: SessionSummary? {
    switch state {
    case .shown(let summary, _), .confirming(let summary, _, _), .signingOut(let summary, _, _): summary
    case .unknown, .signedOut: nil
    }
  }
}
