public import AuthenticationDomain
import Synchronization

/// A store that can be absent, locked, corrupt or full as a test sets it, and records its calls.
///
/// ```swift
/// let store = ScriptedSessionStore(SessionRecord(session: .sample(receivedAt: now)))
/// let manager = AuthManager(provider: provider, store: store)
/// ```
public final class ScriptedSessionStore: SessionStore {
  /// A call of the store.
  package enum Message: Sendable, Equatable {
    /// It was read, with any result.
    case read
    /// This was to be stored, whether or not it was.
    case save(SessionRecord)
    /// It was to be emptied, whether or not it was.
    case delete
  }

  private struct Contents {
    var record: SessionRecord?
    var readFailure: AuthenticationError?
    var saveFailure: AuthenticationError?
    var deletionMakesRoom = false
    var deleteFailure: AuthenticationError?
    var lateFailure: AuthenticationError?
    var readFailureAfterSave: AuthenticationError?
    var exclusionFailure: AuthenticationError?
    var refusesFollowers = false
    var messages: [Message] = []
    var listeners: [AsyncStream<Void>.Continuation] = []
  }

  private let contents: Mutex<Contents>
  private let isShared: Bool

  /// Holds this record; absent by default.
  ///
  /// - Parameters:
  ///   - record: the stored record; nil for nothing.
  ///   - isShared: tells those who follow its ``changes()`` when a test replaces the record.
  public init(_ record: SessionRecord? = nil, isShared: Bool = false) {
    contents = Mutex(Contents(record: record))
    self.isShared = isShared
  }

  /// The stored record; reading it is not recorded.
  public var record: SessionRecord? { contents.withLock { $0.record } }
  /// Everything done so far, in order.
  package var messages: [Message] { contents.withLock { $0.messages } }

  /// Replaces the stored record, as another process would.
  package func replace(_ record: SessionRecord?) {
    let listeners = contents.withLock { contents in
      contents.record = record
      return contents.listeners
    }
    for listener in listeners { listener.yield() }
  }

  public func changes() -> AsyncStream<Void>? {
    guard isShared else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let isFollowed = contents.withLock { contents in
      if !contents.refusesFollowers { contents.listeners.append(continuation) }
      return !contents.refusesFollowers
    }
    return isFollowed ? stream : nil
  }

  /// Whether it cannot be followed for now, as a folder that does not exist cannot.
  package func refuseFollowers(_ refuses: Bool) { contents.withLock { $0.refusesFollowers = refuses } }

  /// Ends every stream of ``changes()``, as a folder that was removed does.
  package func endChanges() {
    let listeners = contents.withLock { contents in
      defer { contents.listeners = [] }
      return contents.listeners
    }
    for listener in listeners { listener.finish() }
  }

  /// How many follow it.
  package var followers: Int { contents.withLock { $0.listeners.count } }

  /// Every read throws this from now on; nil ends that.
  public func failReads(with error: AuthenticationError?) { contents.withLock { $0.readFailure = error } }
  /// Every save and delete throws this from now on, and changes nothing; nil ends that.
  public func failWrites(with error: AuthenticationError?) {
    contents.withLock { ($0.saveFailure, $0.deleteFailure) = (error, error) }
  }

  /// Every save from now on is done, and throws this all the same, as where the disk cannot tell that it is; nil ends
  /// that.
  package func failAfterSaves(with error: AuthenticationError?) { contents.withLock { $0.lateFailure = error } }

  /// Every read from the next save on throws this, until ``failReads(with:)``.
  package func failReadsAfterSave(with error: AuthenticationError) {
    contents.withLock { $0.readFailureAfterSave = error }
  }

  /// Fails saves alone, as a full disk does.
  ///
  /// - Parameter untilDeletion: whether the next deletion makes room. By default it does not.
  package func failSaves(with error: AuthenticationError?, untilDeletion: Bool = false) {
    contents.withLock { ($0.saveFailure, $0.deletionMakesRoom) = (error, untilDeletion) }
  }

  /// Lets no transaction have the store to itself from now on, as another process does that holds it; nil ends that.
  package func keepOut(with error: AuthenticationError?) { contents.withLock { $0.exclusionFailure = error } }

  public func exclusively(_ body: () -> Void) throws(AuthenticationError) {
    if let failure = contents.withLock({ $0.exclusionFailure }) { throw failure }
    body()
  }

  public func read() throws(AuthenticationError) -> SessionRecord? {
    try contents.withLock { contents -> Result<SessionRecord?, AuthenticationError> in
      contents.messages.append(.read)
      return contents.readFailure.map(Result.failure) ?? .success(contents.record)
    }.get()
  }

  public func save(_ record: SessionRecord) throws(AuthenticationError) {
    try write(.save(record), record)
  }

  public func delete() throws(AuthenticationError) {
    try write(.delete, nil)
  }

  private func write(_ message: Message, _ record: SessionRecord?) throws(AuthenticationError) {
    try contents.withLock { contents -> Result<Void, AuthenticationError> in
      contents.messages.append(message)
      if let failure = contents.readFailureAfterSave {
        (contents.readFailure, contents.readFailureAfterSave) = (failure, nil)
      }
      let failure = message == .delete ? contents.deleteFailure : contents.saveFailure
      if let failure { return .failure(failure) }
      contents.record = record
      if message == .delete, contents.deletionMakesRoom { contents.saveFailure = nil }
      return message != .delete ? contents.lateFailure.map(Result.failure) ?? .success(()) : .success(())
    }.get()
  }
}
