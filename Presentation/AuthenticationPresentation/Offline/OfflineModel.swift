public import AuthenticationDomain

/// Tells that the provider cannot be reached while the user stays signed in, and tries again.
///
/// ```swift
/// let model = OfflineModel(root.manager, in: flows)
/// if case .offline = model.state { show(model.words("offline.banner.title")) }
/// ```
public final class OfflineModel: Flow<OfflineModel.State> {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// Nothing is known to be wrong.
    case online
    /// The session waits for a refresh; the failure says why the last one failed.
    case offline(User, FlowFailure?)
    /// The provider is asked again.
    case retrying(User)
  }

  private let source: any SessionSource

  /// Follows the session.
  ///
  /// - Parameters:
  ///   - source: refreshes it.
  ///   - flows: the shared parts of an app's models.
  public init(_ source: any SessionSource, in flows: FlowEnvironment) {
    self.source = source
    super.init(.online, in: flows)
    followSession()
  }

  override var currentStatus: FlowStatus {
    guard case .offline(_, let failure) = state else { return FlowStatus("offline.banner.title", in: words) }
    return FlowStatus("offline.banner.title", in: words, failure: failure, announced: failure == nil ? .polite : nil)
  }

  /// Has the session refreshed, at once. Does nothing while that is done, or is not necessary.
  public func retry() {
    guard case .offline(let user, _) = state else { return }
    state = .retrying(user)
    call.run { [source] () async throws(AuthenticationError) in
      _ = try await source.validSession(byHand: true)
    } then: { [weak self] in
      self?.show($0, user)
    }
  }

  private func show(_ result: Result<Void, AuthenticationError>, _ user: User) {
    state = .online
    show(flows.control.state)
    guard case .offline = state, case .failure(let error) = result, !error.isSilent else { return }
    state = .offline(user, flows.failure(error))
  }

  override func show(_ known: AuthenticationState) {
    if call.isRunning { return }
    guard let active = known.activeSession, active.freshness == .stale else { return state = .online }
    if case .offline(let user, _) = state, user.isSame(as: active.session.user) { return }
    state = .offline(active.session.user, nil)
  }
}
