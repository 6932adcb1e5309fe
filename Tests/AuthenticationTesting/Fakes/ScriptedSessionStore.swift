public import AuthenticationDomain
import Synchronization

/// A store that can be absent, locked, corrupt or full as a test says, and records what was done to it.
public final class ScriptedSessionStore: SessionStore {
  public enum Message: Sendable, Equatable {
    case read
    case save(SessionRecord)
    case delete
  }

  private struct Contents {
    var record: SessionRecord?
    var readFailure: AuthenticationError?
    var saveFailure: AuthenticationError?
    var deleteFailure: AuthenticationError?
    var messages: [Message] = []
  }

  private let contents: Mutex<Contents>

  public init(_ record: SessionRecord? = nil) {
    contents = Mutex(Contents(record: record))
  }

  public var record: SessionRecord? { contents.withLock { $0.record } }
  public var messages: [Message] { contents.withLock { $0.messages } }

  /// Replaces what is stored, as another process would.
  public func replace(_ record: SessionRecord?) { contents.withLock { $0.record = record } }

  public func failReads(with error: AuthenticationError?) { contents.withLock { $0.readFailure = error } }
  /// Fails saves and deletions.
  public func failWrites(with error: AuthenticationError?) {
    contents.withLock { ($0.saveFailure, $0.deleteFailure) = (error, error) }
  }

  /// Fails saves alone, as a full disk does.
  public func failSaves(with error: AuthenticationError?) { contents.withLock { $0.saveFailure = error } }

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
      let failure = message == .delete ? contents.deleteFailure : contents.saveFailure
      if let failure { return .failure(failure) }
      contents.record = record
      return .success(())
    }.get()
  }
}
