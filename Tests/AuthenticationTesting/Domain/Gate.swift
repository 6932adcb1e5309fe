import Synchronization

/// Lets callers pass, or holds them until it is opened; tells who has arrived. Nobody polls.
public final class Gate: Sendable {
  private struct Contents {
    var isOpen = true
    var arrivals = 0
    var held: [CheckedContinuation<Void, Never>] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let contents = Mutex(Contents())

  /// Open at first.
  public init() {}

  /// Holds every caller from now on.
  public func close() { contents.withLock { $0.isOpen = false } }

  /// Lets the held callers pass, and every later one.
  public func open() {
    let held = contents.withLock { contents in
      contents.isOpen = true
      defer { contents.held = [] }
      return contents.held
    }
    for caller in held { caller.resume() }
  }

  /// Counts the caller, and holds it while the gate is closed.
  public func pass() async {
    await withCheckedContinuation { continuation in
      let ready = contents.withLock { contents in
        contents.arrivals += 1
        let arrivals = contents.arrivals
        var ready = contents.watchers.filter { $0.count <= arrivals }.map(\.continuation)
        contents.watchers.removeAll { $0.count <= arrivals }
        if contents.isOpen { ready.append(continuation) } else { contents.held.append(continuation) }
        return ready
      }
      for caller in ready { caller.resume() }
    }
  }

  /// Returns as soon as `count` callers have arrived since the beginning.
  public func waitForArrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isMet = contents.withLock { contents in
        if contents.arrivals >= count { return true }
        contents.watchers.append((count, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }
}
