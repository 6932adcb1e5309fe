public import AuthenticationDomain

/// The accounts of a device, of which one is in use.
///
/// ```swift
/// let accounts: any AccountList = try AccountRegistry(in: .platformDefault(), for: .api(baseURL: url))
/// for account in try await accounts.list() { show(account.user, account.isSignedIn) }
/// ```
///
/// ### Choose a list
///
/// ``AccountRegistry`` implements it over one storage; ``AccountSwitcherModel`` shows it. Implement it for accounts
/// that are kept elsewhere, such as by a server or by another library.
///
/// ### Implement a list
///
/// An implementation never guesses: a list that cannot be read is an error, not an empty list, since an app would offer
/// a first sign-in then. The account in use is the first one: the model reports a switch if another account is first
/// after ``use(_:)`` or ``remove(_:losing:)``.
///
/// ### Implement a middleware
///
/// ```swift
/// struct LoggingAccounts: AccountList {
///   let upstream: any AccountList
///   func list() async throws(AuthenticationError) -> [KnownAccount] { try await upstream.list() }
///   func changes() -> AsyncStream<Void> { upstream.changes() }
///   func use(_ id: String) async throws(AuthenticationError) {
///     log("account switched")
///     try await upstream.use(id)
///   }
///   func remove(_ id: String, losing loss: SignOutLoss?) async throws(AuthenticationError) {
///     try await upstream.remove(id, losing: loss)
///   }
/// }
/// ```
///
/// ### Errors
///
/// After a failed ``list()`` the model shows no account, and reads the list again when it changes. After
/// ``AuthenticationError/confirmationRequired`` it asks the user, and calls ``remove(_:losing:)`` again with the loss.
/// Every other failure is shown with the list as it was.
///
/// ### Concurrency
///
/// The calls may overlap, and other processes may change the list at any time: ``changes()`` reports both. It is called
/// on the main actor, must not block, and returns a separate stream each time.
public protocol AccountList: Sendable {
  /// Reads the accounts, the latest used first: that is the one in use.
  ///
  /// - Returns: those whose session ended as well.
  /// - Throws: ``AuthenticationError/storageUnavailable`` or ``AuthenticationError/storageCorrupt`` if the list cannot
  ///   be read; nothing is erased then.
  func list() async throws(AuthenticationError) -> [KnownAccount]

  /// An element after each change of the list, by any process.
  func changes() -> AsyncStream<Void>

  /// Puts an account in use, also one whose user has to sign in again.
  ///
  /// - Parameter id: of the account.
  /// - Throws: as ``list()`` does; ``AuthenticationError/invalidRequest`` if there is no such account.
  func use(_ id: String) async throws(AuthenticationError)

  /// Signs out of an account, then forgets it. Removing a missing account succeeds.
  ///
  /// - Parameters:
  ///   - id: of the account.
  ///   - loss: the loss that the user has confirmed; nil if nothing may be lost.
  /// - Throws: as ``SessionControl/signOut(scope:losing:)`` does; then the account is kept.
  func remove(_ id: String, losing loss: SignOutLoss?) async throws(AuthenticationError)
}
