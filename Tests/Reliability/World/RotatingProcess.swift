import Foundation
import Synchronization

/// A process at its share of expiries, listened to by a thread of its own.
package final class RotatingProcess: Sendable {
  package struct Outcome: Sendable {
    package var isSignedIn = false
    package var errors = 0
    /// Microseconds.
    package var waits: [Int] = []
  }

  private let result = Mutex<Outcome?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  package init(_ world: World, _ share: Int, _ expiries: Expiries) {
    Thread.detachNewThread { [self] in
      let outcome = (try? Self.follow(world.client(), share, expiries)) ?? Outcome()
      result.withLock { $0 = outcome }
      ended.signal()
    }
  }

  /// Waits for the end.
  package func outcome() -> Outcome {
    ended.wait()
    return result.withLock { $0 } ?? Outcome()
  }

  private static func follow(_ client: ClientProcess, _ share: Int, _ expiries: Expiries) throws -> Outcome {
    client.tell("rotate \(share)")
    while let line = try client.line() {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "expire": client.tell(expiries.expire(words[1]) ? "yes" : "no")
      case "done":
        let waits = words.count > 2 ? words[2].split(separator: ",").compactMap { Int($0) } : []
        return Outcome(isSignedIn: true, errors: Int(words[1]) ?? 0, waits: waits)
      default: return Outcome()
      }
    }
    return Outcome()
  }
}
