/// Follows who is signed in, and signs out.
///
/// ```swift
/// for await state in root.manager.states() { show(state) }
/// ```
public protocol SessionControl: Sendable {
  /// The latest published state: a snapshot that waits for nothing.
  var state: AuthenticationState { get }

  /// The state now, then each later one, to any number of listeners. A slow listener gets the latest, not those
  /// before it.
  func states() -> AsyncStream<AuthenticationState>

  /// Reads the store, and again if it was unavailable; asks the provider again if refreshes have failed.
  ///
  /// - Returns: the state after that.
  @discardableResult
  func restore() async -> AuthenticationState

  /// Erases the session here, then ends it at the provider.
  ///
  /// - Parameter loss: what is lost for ever with the session, as the user has confirmed; nil if nothing may be.
  /// - Throws: ``AuthenticationError/Code/confirmationRequired`` if something else would be lost, and
  ///   ``AuthenticationError`` if the store cannot be read, or could not be erased.
  func signOut(losing loss: SignOutLoss?) async throws(AuthenticationError)
}

extension SessionControl {
  /// Signs out as ``signOut(losing:)``, if nothing is lost for ever.
  public func signOut() async throws(AuthenticationError) { try await signOut(losing: nil) }
}
