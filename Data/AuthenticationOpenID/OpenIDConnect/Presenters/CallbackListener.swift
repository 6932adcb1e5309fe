#if os(macOS) || os(Linux)
import AuthenticationDomain
import Foundation
import Synchronization

/// Listens on 127.0.0.1 for the one redirect that ends a sign-in, then closes (RFC 8252 §7.3, §8.3).
///
/// It runs on a thread of its own, so that no caller's thread waits for a browser, and serves several connections
/// concurrently, so that a slow or idle one delays no other. May be called from any thread.
final class CallbackListener: Sendable {
  let port: UInt16
  let redirectURI: String
  private let answer = OneShotCallback()
  private let closed = Latch()
  private let alarm: WakeUp
  private let clock: any AuthenticationClock
  private let ignored: IgnoredRedirects

  /// How often connections that have not sent a request are checked.
  static let round: Duration = .seconds(5)

  /// Begins to listen for the redirect with this state. Throws ``AuthenticationError/Code/redirectPortBusy``.
  ///
  /// - Parameter notice: called, once for each reason, with why a redirect was ignored.
  init(
    port: UInt16?, path: String, state: String, clock: any AuthenticationClock,
    ignoring notice: @escaping @Sendable (AuthenticationError) -> Void = { _ in }
  ) throws(AuthenticationError) {
    let socket = try ListeningSocket(port: port)
    let alarm = try WakeUp()
    self.port = socket.port
    self.clock = clock
    self.alarm = alarm
    let ignored = IgnoredRedirects()
    self.ignored = ignored
    redirectURI = "http://127.0.0.1:\(socket.port)\(path)"
    let expectation = CallbackExpectation(port: socket.port, path: path, state: state)
    let server = CallbackServer(
      socket, alarm, expecting: expectation, answering: answer, closing: closed, clock: clock
    ) { reason in
      if ignored.note(reason) { notice(reason) }
    }
    let thread = Thread { server.run() }
    thread.name = "AuthenticationKit.CallbackListener"
    thread.start()
  }

  deinit { stop() }

  /// Returns the redirect's URL, once; the port is free when this returns or throws.
  ///
  /// Throws ``AuthenticationError/Code/signInExpired`` (or ``AuthenticationError/Code/security`` with
  /// ``SecurityCheck/state``, if an error without a state arrived in the meantime), the error passed to ``end(_:)``,
  /// and ``AuthenticationError/Code/cancelled`` as soon as the task is cancelled.
  func callback(within timeout: Duration) async throws(AuthenticationError) -> URL {
    let timer = Task { [clock, answer, ignored] in
      guard (try? await clock.sleep(for: timeout)) != nil else { return }
      answer.answer(.failure(ignored.errorWithoutState ?? .tooSlow))
    }
    defer { timer.cancel() }
    let rounds = Task { [clock, alarm] in
      while (try? await clock.sleep(for: Self.round)) != nil { alarm.ring() }
    }
    defer { rounds.cancel() }
    let url: URL
    do throws(AuthenticationError) {
      url = try await answer.value()
    } catch {
      await close()
      throw error
    }
    await close()
    return url
  }

  /// Ends the waiting with this error, unless it has already ended.
  func end(_ error: AuthenticationError) { answer.answer(.failure(error)) }

  /// Returns when the port is free, which is immediately.
  func close() async {
    stop()
    await closed.wait()
  }

  private func stop() {
    answer.answer(.failure(.cancelled))
    alarm.ring()
  }
}

/// Why redirects were ignored, each reason once: a page that reloads itself is not reported for ever.
private final class IgnoredRedirects: Sendable {
  private let reasons = Mutex<[AuthenticationError]>([])

  /// The last error without a state, which explains why no response comes.
  var errorWithoutState: AuthenticationError? {
    reasons.withLock { $0.last { $0.message == AuthenticationError.errorWithoutState.message } }
  }

  /// - Returns: whether this reason is new.
  func note(_ reason: AuthenticationError) -> Bool {
    reasons.withLock { reasons in
      guard !reasons.contains(where: { $0.message == reason.message && $0.providerCode == reason.providerCode }),
        reasons.count < 8
      else { return false }
      reasons.append(reason)
      return true
    }
  }
}

extension AuthenticationError {
  static let overlongRedirect = refused(
    by: .redirect, "The redirect is too long: more than \(CallbackExpectation.longestHead) bytes.")

  fileprivate static let tooSlow = Self(
    .signInExpired, "The browser did not come back in time.", suggestion: "Begin the sign-in again.")
}
#endif
