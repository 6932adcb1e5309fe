import Synchronization

/// A number that only grows, and callers that wait until it is large enough, without polling.
final class Tally: Sendable {
  private struct Contents {
    var count = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let contents = Mutex(Contents())

  var count: Int { contents.withLock { $0.count } }

  func add() {
    let met = contents.withLock { contents in
      contents.count += 1
      let count = contents.count
      defer { contents.watchers.removeAll { $0.count <= count } }
      return contents.watchers.filter { $0.count <= count }
    }
    for watcher in met { watcher.continuation.resume() }
  }

  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isMet = contents.withLock { contents in
        if contents.count < count { contents.watchers.append((count, continuation)) }
        return contents.count >= count
      }
      if isMet { continuation.resume() }
    }
  }
}
