import AuthenticationDomain
public import Observation

/// Tells that the store cannot be read now, and reads it again: nobody was signed out by that.
///
/// ```swift
/// Button(locked.words("locked.store.retry")) { locked.retry() }
/// ```
@MainActor
@Observable
public final class LockedStoreModel: FlowModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// It cannot be read, for this reason.
    case locked(FlowFailure)
    /// It is read again; the system may ask for a face, a finger or a passcode.
    case retrying(call: Int)
    /// It can be read.
    case open
  }

  public package(set) var state = State.open
  public var words: Words { flows.words }

  @ObservationIgnored private let flows: FlowEnvironment
  @ObservationIgnored private let call = CurrentCall()
  @ObservationIgnored private let following = StateFollowing()

  /// Follows whether the store can be read.
  public init(in flows: FlowEnvironment) {
    self.flows = flows
    show(flows.control.state)
    following.follow(flows.control) { [weak self] in self?.show($0) }
  }

  public var title: String { words("locked.store.title") }

  public var failure: FlowFailure? {
    if case .locked(let failure) = state { failure } else { nil }
  }

  /// Reads the store again. Does nothing while it is read, or can be.
  public func retry() {
    guard case .locked = state else { return }
    call.run(
      { [control = flows.control] () async throws(AuthenticationError) in
        await control.restore()
      },
      then: { [weak self] _ in
        guard let self else { return }
        show(flows.control.state)
      })
    state = .retrying(call: call.id)
  }

  public func finished() async { await call.finished() }

  private func show(_ known: AuthenticationState) {
    if call.isRunning { return }
    guard case .unavailable(let error) = known else { return state = .open }
    if case .locked(let shown) = state, shown.error == error { return }
    state = .locked(flows.failure(error))
  }
}
