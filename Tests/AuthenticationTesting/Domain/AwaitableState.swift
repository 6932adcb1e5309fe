import Synchronization

/// A value behind a lock, and callers that wait until a change makes it meet their condition.
package final class AwaitableState<Value: Sendable>: Sendable {
  private struct Waiter {
    let condition: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Content {
    var value: Value
    var waiters: [Int: Waiter] = [:]
    var lastID = 0
  }

  private let content: Mutex<Content>

  package init(_ value: Value) {
    content = Mutex(Content(value: value))
  }

  package var value: Value { content.withLock { $0.value } }

  package func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
    let (result, met) = content.withLock { content in
      let result = change(&content.value)
      let met = content.waiters.filter { $1.condition(content.value) }
      for id in met.keys { content.waiters[id] = nil }
      return (result, met.values.map(\.continuation))
    }
    for continuation in met { continuation.resume() }
    return result
  }

  /// Returns as soon as the condition holds, or the task is cancelled.
  package func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
    let id = content.withLock { content in
      content.lastID += 1
      return content.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isMet = content.withLock { content in
          guard !Task.isCancelled, !condition(content.value) else { return true }
          content.waiters[id] = Waiter(condition: condition, continuation: continuation)
          return false
        }
        if isMet { continuation.resume() }
      }
    } onCancel: {
      content.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
    }
  }
}
