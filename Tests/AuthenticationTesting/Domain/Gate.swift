/// Lets callers pass, or holds them until it is opened; counts those that have arrived, without polling.
///
/// A caller whose task is cancelled waits no longer.
package final class Gate: Sendable {
  private struct Contents {
    var isOpen = true
    var arrivals = 0
  }

  private let contents = AwaitableState(Contents())

  /// Open at first.
  package init() {}

  /// Holds every caller from now on.
  package func close() { contents.update { $0.isOpen = false } }

  /// Lets the held callers pass, and every later one.
  package func open() { contents.update { $0.isOpen = true } }

  /// Counts the caller, and holds it while the gate is closed.
  package func pass() async {
    contents.update { $0.arrivals += 1 }
    await contents.wait { $0.isOpen }
  }

  /// How many callers have come since the beginning.
  package var arrivals: Int { contents.value.arrivals }

  /// Returns as soon as `count` callers have arrived since the beginning.
  package func waitForArrivals(_ count: Int) async { await contents.wait { $0.arrivals >= count } }
}
