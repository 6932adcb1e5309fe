public import AuthenticationDomain

/// The methods to sign in with, from the product line's list.
///
/// ```swift
/// let model = MethodListModel(in: flows)
/// if case .ready(let methods, let last) = model.state {
///   for method in methods { addButton(method, isLastUsed: method == last) }
/// }
/// ```
public final class MethodListModel: Flow<MethodListModel.State> {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The session is not known yet.
    case loading
    /// The user chooses; the method that was used last on this device is a hint.
    case ready([SignInMethod], lastUsed: SignInMethod?)
    /// The store cannot be read: a user may be signed in.
    case unavailable(AuthenticationError)
  }

  /// Follows whether the store can be read.
  public init(in flows: FlowEnvironment) {
    super.init(.loading, in: flows)
    followSession()
  }

  override var currentStatus: FlowStatus {
    let isReady = if case .ready = state { true } else { false }
    return FlowStatus("methods.list.title", in: words, focus: isReady ? .heading : nil)
  }

  /// Continues with a method, if the list is a step of ``AuthenticationViewModel``.
  public func choose(_ method: SignInMethod) {
    if case .ready(let methods, _) = state, methods.contains(method) { onEnd?(.chosen(method)) }
  }

  override func show(_ known: AuthenticationState) {
    switch known {
    case .unknown: state = .loading
    case .unavailable(let error): state = .unavailable(error)
    case .signedOut, .challenged, .signedIn:
      let methods = flows.attempts.methods
      let last = flows.lastMethod.read()
      state = .ready(methods, lastUsed: methods.first { $0.id == last })
    }
  }
}
