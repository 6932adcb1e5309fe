import AuthenticationKit
import AuthenticationWorkload
import Dispatch
import Foundation
import Synchronization

/// The signals by which a user, a terminal or the system asks the process to end, which from now on no longer end it. Of
/// several at the same time the latest gets them.
package final class Interruption: Sendable {
  private struct Shared {
    var sources: [any DispatchSourceSignal] = []
    var listeners: [(id: ObjectIdentifier, continuation: AsyncStream<Int32>.Continuation)] = []
  }

  private static let shared = Mutex(Shared())

  /// By their numbers.
  package let signals: AsyncStream<Int32>

  package init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    signals = stream
    Self.shared.withLock { shared in
      if shared.listeners.isEmpty { shared.sources = [SIGINT, SIGTERM, SIGHUP].compactMap(Self.source) }
      shared.listeners.append((ObjectIdentifier(self), continuation))
    }
  }

  deinit { end() }

  /// Nil for a signal that was ignored before, as `nohup` and a shell's background jobs have it.
  private static func source(of number: Int32) -> (any DispatchSourceSignal)? {
    let before = signal(number, SIG_IGN)
    if unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { return nil }
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { _ = shared.withLock { $0.listeners.last?.continuation.yield(number) } }
    source.resume()
    return source
  }

  private var isEnded: Bool { Self.shared.withLock { $0.listeners.allSatisfy { $0.id != ObjectIdentifier(self) } } }

  /// From now on a signal goes to the one before, or ends the process again.
  package func end() {
    Self.shared.withLock { shared in
      shared.listeners.removeAll { $0.id == ObjectIdentifier(self) }
      guard shared.listeners.isEmpty else { return }
      for source in shared.sources {
        source.cancel()
        signal(Int32(source.handle), SIG_DFL)
      }
      shared.sources = []
    }
  }

  /// Runs a command that may refresh tokens. At its end, by a signal too, the responses to requests that were sent
  /// are stored first, for at most 10 seconds; a second signal ends the process at once.
  static func draining<Answer>(
    _ tokens: some Draining, _ console: Console, _ command: () async throws -> Answer
  ) async throws -> Answer {
    let interruption = Interruption()
    let signal = Task.detached { () -> Int32? in
      for await number in interruption.signals {
        interruption.end()
        await tokens.drain(telling: console)
        return number
      }
      return nil
    }
    // The command may wait for something else, such as another process.
    Task.detached { if let number = await signal.value { exit(128 + number) } }
    defer { interruption.end() }
    let answer: Result<Answer, any Error>
    do { answer = .success(try await command()) } catch { answer = .failure(error) }
    await tokens.drain(telling: interruption.isEnded ? nil : console)
    signal.cancel()
    if let number = await signal.value { throw Interrupted(signal: number) }
    return try answer.get()
  }
}

/// Requests tokens, and can wait for those that were requested.
protocol Draining: Sendable {
  var isRequestInFlight: Bool { get }
  func drain(within limit: Duration) async
}

extension Draining {
  /// Tells the user only of a wait that can be noticed: a response may have resumed the command before it is counted.
  fileprivate func drain(telling console: Console?) async {
    let notice = Task {
      guard (try? await Task.sleep(for: .milliseconds(250))) != nil, isRequestInFlight else { return }
      console?.say("authctl: Waiting for the provider's response, so that the session is kept.")
    }
    await drain(within: .seconds(10))
    notice.cancel()
  }
}

extension AuthManager: Draining {}
extension ServiceTokens: Draining {}

/// The process was asked to end.
struct Interrupted: Error { let signal: Int32 }
