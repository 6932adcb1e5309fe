import Synchronization

/// Collects lines from any task, in order.
public final class Log: Sendable {
  private let contents = Mutex<[String]>([])

  public init() {}

  public var lines: [String] { contents.withLock { $0 } }
  public func append(_ line: String) { contents.withLock { $0.append(line) } }
}
