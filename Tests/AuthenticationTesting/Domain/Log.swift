import Synchronization

/// Collects lines from any task, in order.
package final class Log: Sendable {
  private let contents = Mutex<[String]>([])

  /// Empty at first.
  package init() {}

  /// The lines so far, oldest first.
  package var lines: [String] { contents.withLock { $0 } }
  /// Adds one line; callable from any task.
  package func append(_ line: String) { contents.withLock { $0.append(line) } }
}
