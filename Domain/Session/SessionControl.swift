/// Publishes the authentication state, and signs out.
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
  /// - Parameters:
  ///   - scope: which sessions of the user end.
  ///   - loss: the loss for ever that the sign-out brings, as the user has confirmed it; nil if nothing may be lost.
  /// - Throws: ``AuthenticationError/confirmationRequired`` if something else would be lost, and
  ///   ``AuthenticationError`` if the store cannot be read, or could not be erased.
  func signOut(scope: SignOutScope, losing loss: SignOutLoss?) async throws(AuthenticationError)
}

extension SessionControl {
  /// Signs out on this device.
  ///
  /// - Parameter loss: as for ``signOut(scope:losing:)``; by default nothing may be lost for ever.
  /// - Throws: as ``signOut(scope:losing:)`` does.
  public func signOut(losing loss: SignOutLoss? = nil) async throws(AuthenticationError) {
    try await signOut(scope: .thisDevice, losing: loss)
  }

  /// Signs out where nothing is lost for ever.
  ///
  /// - Parameter scope: which sessions of the user end.
  /// - Throws: as ``signOut(scope:losing:)`` does.
  public func signOut(scope: SignOutScope) async throws(AuthenticationError) {
    try await signOut(scope: scope, losing: nil)
  }
}

/// Which sessions of a user a sign-out ends.
public enum SignOutScope: Sendable, Hashable {
  /// The session of this device.
  case thisDevice
  /// The sessions of this user on all devices, if the provider can end them (``RemoteAuthProvider/endsOtherSessions``).
  case everywhere
}
