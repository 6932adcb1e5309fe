/// Follows who is signed in, and signs out.
public protocol SessionControl: Sendable {
  /// The latest published state: a snapshot that waits for nothing.
  var state: AuthenticationState { get }

  /// The state now and each one after it, to any number of listeners.
  func states() -> AsyncStream<AuthenticationState>

  /// Reads the store, and again where it was unavailable.
  @discardableResult
  func restore() async -> AuthenticationState

  /// Erases the session here, then ends it at the provider.
  func signOut() async throws(AuthenticationError)
}
