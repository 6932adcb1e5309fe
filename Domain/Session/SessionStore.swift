/// Keeps one ``SessionRecord`` between launches. (The ancestor's term: `AuthDataStore`.)
///
/// Synchronous, so that no suspension stands between "stored" and "current"; a call may block, and
/// ``AuthManager`` calls it from an executor of its own. A store gives three different answers: absent (`nil`),
/// ``AuthenticationError/Code/storageUnavailable``, ``AuthenticationError/Code/storageCorrupt``.
public protocol SessionStore: Sendable {
  /// What is stored; nil only where it is certain that nothing is.
  func read() throws(AuthenticationError) -> SessionRecord?

  /// Replaces what is stored, atomically.
  func save(_ record: SessionRecord) throws(AuthenticationError)

  /// Removes what is stored. Removing nothing is a success.
  func delete() throws(AuthenticationError)

  /// Removes the copies that were made of what could not be read: they may hold tokens that are still good. By default
  /// there are none.
  func removeQuarantinedCopies() throws(AuthenticationError)

  /// Runs what reads and writes while no other process does; by default nobody is kept out. Throws
  /// ``AuthenticationError/Code/storageUnavailable``, and runs nothing, where another process does not let go in time.
  func exclusively(_ body: () -> Void) throws(AuthenticationError)

  /// An element after each write, by whomever; nil where nobody else writes, or where that cannot be told now. A store
  /// that answered nil is asked again after the next write.
  func changes() -> AsyncStream<Void>?
}

extension SessionStore {
  public func removeQuarantinedCopies() throws(AuthenticationError) {}
  public func exclusively(_ body: () -> Void) throws(AuthenticationError) { body() }
  public func changes() -> AsyncStream<Void>? { nil }
}
