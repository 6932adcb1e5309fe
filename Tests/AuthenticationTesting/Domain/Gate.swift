/// Lets callers pass, or holds them until it is opened; tells who has arrived. Nobody polls.
///
/// A caller whose task is cancelled waits no longer.
public final class Gate: Sendable {
  private struct Contents {
    var isOpen = true
    var arrivals = 0
  }

  private let contents = AwaitableState(Contents())

  /// Open at first.
  public init() {}

  /// Holds every caller from now on.
  public func close() { contents.update { $0.isOpen = false } }

  /// Lets the held callers pass, and every later one.
  public func open() { contents.update { $0.isOpen = true } }

  /// Counts the caller, and holds it while the gate is closed.
  public func pass() async {
    contents.update { $0.arrivals += 1 }
    await contents.wait { $0.isOpen }
  }

  /// Returns as soon as `count` callers have arrived since the beginning.
  public func waitForArrivals(_ count: Int) async { await contents.wait { $0.arrivals >= count } }
}
