public import AuthenticationDomain
public import Observation

/// Tells that the provider cannot be reached while somebody stays signed in, and tries again.
///
/// ```swift
/// let model = OfflineModel(root.manager, in: flows)
/// if case .offline = model.state { show(model.words("offline.banner.title")) }
/// ```
@MainActor
@Observable
public final class OfflineModel: FlowModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// Nothing is known to be wrong.
    case online
    /// The session waits for a refresh; the failure says why the last try did not do.
    case offline(User, FlowFailure?)
    /// The provider is asked again.
    case retrying(User, call: Int)
  }

  public package(set) var state = State.online
  public var words: Words { flows.words }

  @ObservationIgnored private let source: any SessionSource
  @ObservationIgnored private let flows: FlowEnvironment
  @ObservationIgnored private let call = CurrentCall()
  @ObservationIgnored private let following = StateFollowing()

  /// Follows the session.
  ///
  /// - Parameters:
  ///   - source: refreshes it.
  ///   - flows: what the models of one app share.
  public init(_ source: any SessionSource, in flows: FlowEnvironment) {
    self.source = source
    self.flows = flows
    show(flows.control.state)
    following.follow(flows.control) { [weak self] in self?.show($0) }
  }

  public var title: String { words("offline.banner.title") }

  public var failure: FlowFailure? {
    if case .offline(_, let failure) = state { failure } else { nil }
  }

  public var announcement: Announcement? {
    if case .offline(_, nil) = state { Announcement(title) } else { nil }
  }

  /// Has the session refreshed, at once. Does nothing while that is done, or is not necessary.
  public func retry() {
    guard case .offline(let user, _) = state else { return }
    call.run(
      { [source] () async throws(AuthenticationError) in
        _ = try await source.validSession(byHand: true)
      }, then: { [weak self] in self?.show($0, user) })
    state = .retrying(user, call: call.id)
  }

  public func finished() async { await call.finished() }

  private func show(_ result: Result<Void, AuthenticationError>, _ user: User) {
    state = .online
    show(flows.control.state)
    guard case .offline = state, case .failure(let error) = result, !error.isSilent else { return }
    state = .offline(user, flows.failure(error))
  }

  private func show(_ known: AuthenticationState) {
    if call.isRunning { return }
    guard let active = known.activeSession, active.freshness == .stale else { return state = .online }
    if case .offline(let user, _) = state, user.id == active.session.user.id { return }
    state = .offline(active.session.user, nil)
  }
}
