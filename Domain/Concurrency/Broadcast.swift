import Synchronization

/// Sends values to any number of listeners; each has a buffer, which drops the oldest.
package final class Broadcast<Element: Sendable>: Sendable {
  private struct Contents {
    var last = 0
    var isFinished = false
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
  }

  private let contents = Mutex(Contents())

  package init() {}

  deinit {
    for listener in contents.withLock({ $0.listeners.values }) { listener.finish() }
  }

  /// A stream for one listener, which begins with `first`.
  package func values(startingWith first: Element? = nil, keeping count: Int) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(count))
    if let first { continuation.yield(first) }
    let id = contents.withLock { contents in
      if contents.isFinished { return nil as Int? }
      contents.last += 1
      contents.listeners[contents.last] = continuation
      return contents.last
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.contents.withLock { $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }

  /// Ends each stream after its pending values; later ones have no more than their first value.
  package func finish() {
    let listeners = contents.withLock { contents in
      contents.isFinished = true
      defer { contents.listeners = [:] }
      return Array(contents.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }

  package func send(_ element: Element) {
    for listener in contents.withLock({ Array($0.listeners.values) }) { listener.yield(element) }
  }
}
