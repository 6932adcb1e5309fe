import AuthenticationDomain

/// Tells that the store cannot be read now, and reads it again: no user was signed out by that.
///
/// ```swift
/// Button(locked.words("locked.store.retry")) { locked.retry() }
/// ```
public final class LockedStoreModel: Flow<LockedStoreModel.State> {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// It cannot be read, for this reason.
    case locked(FlowFailure)
    /// It is read again; the system may ask for a face, a finger or a passcode.
    case retrying
    /// It can be read.
    case open
  }

  /// Follows whether the store can be read.
  public init(in flows: FlowEnvironment) {
    super.init(.open, in: flows)
    followSession()
  }

  override var currentStatus: FlowStatus {
    let failure: FlowFailure? = if case .locked(let failure) = state { failure } else { nil }
    return FlowStatus("locked.store.title", in: words, failure: failure)
  }

  /// Reads the store again. Does nothing while it is read, or can be.
  public func retry() {
    guard case .locked = state else { return }
    state = .retrying
    call.run { [control = flows.control] () async throws(AuthenticationError) in
      await control.restore()
    } then: { [weak self] _ in
      if let self { show(flows.control.state) }
    }
  }

  override func show(_ known: AuthenticationState) {
    if call.isRunning { return }
    guard case .unavailable(let error) = known else { return state = .open }
    if case .locked(let shown) = state, shown.error == error { return }
    state = .locked(flows.failure(error))
  }
}
