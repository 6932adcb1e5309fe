public import AuthenticationDomain
public import Observation

/// The ways to sign in, from the product line's list.
///
/// ```swift
/// let model = MethodListModel(in: flows)
/// if case .ready(let methods, let last) = model.state {
///   for method in methods { addButton(method, isLastUsed: method == last) }
/// }
/// ```
@MainActor
@Observable
public final class MethodListModel: StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// Who is signed in is not known yet.
    case loading
    /// The user chooses; the method that was used last on this device is a hint.
    case ready([SignInMethod], lastUsed: SignInMethod?)
    /// The store cannot be read, so that somebody may be signed in.
    case unavailable(AuthenticationError)
  }

  public package(set) var state = State.loading
  public var words: Words { flows.words }
  public var title: String { words("methods.list.title") }
  public var failure: FlowFailure? { nil }
  public var focus: Focus? {
    if case .ready = state { Focus(.heading, turn: 0) } else { nil }
  }

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored private let flows: FlowEnvironment
  @ObservationIgnored private let following = StateFollowing()

  /// Follows whether the store can be read.
  public init(in flows: FlowEnvironment) {
    self.flows = flows
    show(flows.control.state)
    following.follow(flows.control) { [weak self] in self?.show($0) }
  }

  /// Goes on with a method, if the list is a step of ``AuthenticationViewModel``.
  public func choose(_ method: SignInMethod) {
    if case .ready(let methods, _) = state, methods.contains(method) { onEnd?(.chosen(method)) }
  }

  private func show(_ known: AuthenticationState) {
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
