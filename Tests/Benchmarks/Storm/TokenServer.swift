import Foundation
import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A loopback HTTP server on separate threads, so that it takes no turn from those it measures. It answers
/// `POST /auth/refresh` with new tokens after 50 ms, and closes the connection.
final class TokenServer: Sendable {
  struct Tally: Sendable {
    var refreshes = 0
    /// Refresh tokens that were sent more than once.
    var replays = 0
  }

  private struct Contents {
    var tally = Tally()
    var spent: Set<String> = []
    var onRequest: CheckedContinuation<Void, Never>?
  }

  static let delay: Duration = .milliseconds(50)
  let baseURL: String
  private let contents = Mutex(Contents())

  init() throws {
    let listener = try Listener()
    baseURL = "http://127.0.0.1:\(listener.port)"
    Thread.detachNewThread { [self] in
      while let connection = listener.accept() {
        Thread.detachNewThread { [self] in answer(connection) }
      }
    }
  }

  /// The counts since the last call.
  func takeTally() -> Tally {
    contents.withLock { contents in
      defer { contents.tally = Tally() }
      return contents.tally
    }
  }

  /// Returns when the next request has arrived whole, or at once where one did since the last tally.
  func request() async {
    await withCheckedContinuation { continuation in
      let hasArrived = contents.withLock { contents in
        if contents.tally.refreshes > 0 { return true }
        contents.onRequest = continuation
        return false
      }
      if hasArrived { continuation.resume() }
    }
  }

  private func answer(_ connection: Connection) {
    let body = connection.readBody()
    let arrival = ContinuousClock.now
    let token = body.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) }
    note(token?["refreshToken"] ?? "")
    // Made within the time that a storm is not charged with.
    let answer = TokenAnswer.next()
    usleep(UInt32(max(.zero, arrival + Self.delay - .now) / .microseconds(1)))
    connection.write(answer)
  }

  private func note(_ refreshToken: String) {
    let waiting = contents.withLock { contents in
      contents.tally.refreshes += 1
      if !contents.spent.insert(refreshToken).inserted { contents.tally.replays += 1 }
      defer { contents.onRequest = nil }
      return contents.onRequest
    }
    waiting?.resume()
  }
}
