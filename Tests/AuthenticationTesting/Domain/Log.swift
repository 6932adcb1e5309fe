import Synchronization

/// Collects lines from any task, in order.
public final class Log: Sendable {
  private let contents = Mutex<[String]>([])

  /// Empty at first.
  public init() {}

  /// What was appended so far, oldest first.
  public var lines: [String] { contents.withLock { $0 } }
  /// Adds one line; callable from any task.
  public func append(_ line: String) { contents.withLock { $0.append(line) } }
}
