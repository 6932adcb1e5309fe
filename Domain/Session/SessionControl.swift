/// Publishes the authentication state, reads the store again, and signs out.
///
/// ```swift
/// for await state in root.manager.states() { show(state) }
/// ```
///
/// ### Choose a control
///
/// ``AuthManager`` is the control of an app, and `ScriptedAuthManager` of `AuthenticationTesting` that of a test or a
/// preview. The models of the flows take a control, and the HTTP client of `steppingUp(_:by:credentials:)` reads the
/// state of one. Write a control only for a session that another library keeps.
///
/// ### Implement a control
///
/// The stream begins with the state now. ``state`` is set before an element arrives: a model that receives one reads
/// ``state``.
///
/// ```swift
/// struct SignedOutControl: SessionControl {
///   let state = AuthenticationState.signedOut(.absent)
///   func states() -> AsyncStream<AuthenticationState> {
///     AsyncStream { continuation in continuation.yield(state) }
///   }
///   func restore() async -> AuthenticationState { state }
///   func signOut(scope: SignOutScope, losing loss: SignOutLoss?) async throws(AuthenticationError) {}
/// }
/// ```
///
/// ### Implement a middleware
///
/// A control that wraps another one adds a rule to the sign-outs of a user. Sessions that end for another reason do not
/// pass through it: follow ``states()`` for these.
///
/// ```swift
/// struct LoggingControl<Upstream: SessionControl>: SessionControl {
///   let upstream: Upstream
///   var state: AuthenticationState { upstream.state }
///   func states() -> AsyncStream<AuthenticationState> { upstream.states() }
///   func restore() async -> AuthenticationState { await upstream.restore() }
///   func signOut(scope: SignOutScope, losing loss: SignOutLoss?) async throws(AuthenticationError) {
///     log("sign-out")
///     try await upstream.signOut(scope: scope, losing: loss)
///   }
/// }
/// ```
///
/// ### Errors
///
/// A store that cannot be read is a state, ``AuthenticationState/unavailable(_:)``, and no error of ``restore()``.
/// After ``AuthenticationError/confirmationRequired`` a model asks the user, and signs out again with the loss. An
/// error of the store in the state ``AuthenticationState/signedOut(_:)`` says that the store may still hold the
/// session: a model offers to sign out again, which erases it.
///
/// ### Concurrency
///
/// Models call ``state`` and ``states()`` on the main actor: neither may block. Each call of ``states()`` returns a
/// separate stream. All calls may overlap.
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
  ///   - loss: the permanent loss that the user has confirmed; nil if nothing may be lost.
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
