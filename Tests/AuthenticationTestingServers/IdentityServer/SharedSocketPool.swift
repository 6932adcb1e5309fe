#if Tools
import FlyingFox
import FlyingSocks
import Synchronization

/// Waits for the sockets of many servers on one thread. A pool for each server would keep one of the 255 threads that
/// Dispatch has, and some hundred servers at once would leave none for the code that they are there for.
actor SharedSocketPool: AsyncSocketPool {
  private static let pools = (0..<8).map { _ in SharedSocketPool() }
  private static let count = Mutex(0)

  /// The pool of the next server.
  static var next: SharedSocketPool {
    pools[
      count.withLock { count in
        count += 1
        return count % pools.count
      }]
  }

  private let pool: any AsyncSocketPool = HTTPServer.defaultPool()
  private var preparation: Task<Void, any Error>?

  func prepare() async throws {
    let preparation =
      preparation
      ?? Task { [pool] in
        try await pool.prepare()
        Task { try await pool.run() }
      }
    self.preparation = preparation
    try await preparation.value
  }

  /// Returns when its server ends; the pool continues for the others.
  func run() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    try Task.checkCancellation()
  }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    try await pool.suspendSocket(socket, untilReadyFor: events)
  }
}
#endif
