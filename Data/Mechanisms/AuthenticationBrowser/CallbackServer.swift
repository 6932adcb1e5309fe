import AuthenticationDomain
import Foundation
import Synchronization

#if os(macOS) || os(Linux)
/// The thread of a ``CallbackListener``: waits only for its socket, its connections and its wake-up call. It ends with
/// the attempt's callback, or as soon as there is another result.
struct CallbackServer: Sendable {
  fileprivate let socket: ListeningSocket
  fileprivate let alarm: WakeUp
  fileprivate let expectation: CallbackExpectation
  fileprivate let result: OneShotCallback
  /// Finished when the port is free and every connection has ended.
  fileprivate let closed: AsyncStream<Void>.Continuation
  fileprivate let clock: any AuthenticationClock
  /// Called with why a redirect is ignored.
  fileprivate let notice: @Sendable (AuthenticationError) -> Void

  /// The timeout of a connection for its request.
  static let requestTimeout: Duration = .seconds(10)
  /// One more connection ends the oldest one.
  static let mostConnections = 32

  func run() {
    var connections: [CallbackConnection] = []
    defer {
      for connection in connections { connection.close() }
      socket.close()
      closed.finish()
    }
    while !result.isComplete {
      let ready = Polling.wait(for: [alarm.descriptor] + socket.descriptors + connections.map(\.descriptor))
      if ready.contains(alarm.descriptor) { alarm.quieten() }
      for index in connections.indices where ready.contains(connections[index].descriptor) {
        switch connections[index].advance(expectation, noticing: notice) {
        case .callback(let url, _): result.complete(.success(url))
        case .overlong: result.complete(.failure(.overlongRedirect))
        case .refused, .ignored, nil: continue
        }
        return
      }
      let now = clock.uptime
      close(&connections) { $0.isOver || $0.startedAt + Self.requestTimeout <= now }
      for listener in socket.descriptors where ready.contains(listener) {
        do throws(AuthenticationError) {
          guard let descriptor = try socket.accept(from: listener) else { continue }
          if connections.count == Self.mostConnections { connections.removeFirst().close() }
          connections.append(CallbackConnection(descriptor: descriptor, startedAt: now))
        } catch {
          result.complete(.failure(error))
        }
      }
    }
  }

  private func close(_ connections: inout [CallbackConnection], where isOver: (CallbackConnection) -> Bool) {
    for connection in connections where isOver(connection) { connection.close() }
    connections.removeAll(where: isOver)
  }
}

/// Listens on 127.0.0.1, and for `localhost` on ::1 as well, for the one redirect that ends a sign-in, then closes
/// (RFC 8252 §7.3, §8.3).
///
/// It runs on a separate thread, so that no caller's thread waits for a browser, and serves several connections
/// concurrently, so that a slow or idle one delays no other. May be called from any thread.
final class CallbackListener: Sendable {
  let port: UInt16
  let redirectURI: String
  private let result = OneShotCallback()
  private let closed: AsyncStream<Void>
  private let alarm: WakeUp
  private let clock: any AuthenticationClock
  private let ignored: IgnoredRedirects

  /// How often connections that have not sent a request are checked.
  static let round: Duration = .seconds(5)

  /// Begins to listen for the redirect with this state. Throws ``AuthenticationError/redirectPortBusy``.
  ///
  /// - Parameter notice: called, once for each reason, with why a redirect was ignored.
  init(
    host: String = "127.0.0.1", port: UInt16?, path: String, state: String, clock: any AuthenticationClock,
    ignoring notice: @escaping @Sendable (AuthenticationError) -> Void = { _ in }
  ) throws(AuthenticationError) {
    let socket = try ListeningSocket(host: host, port: port)
    let alarm = try WakeUp()
    let (closed, close) = AsyncStream.makeStream(of: Void.self)
    self.closed = closed
    self.port = socket.port
    self.clock = clock
    self.alarm = alarm
    let ignored = IgnoredRedirects()
    self.ignored = ignored
    redirectURI = "http://\(host):\(socket.port)\(path)"
    let server = CallbackServer(
      socket: socket, alarm: alarm,
      expectation: CallbackExpectation(host: host, port: socket.port, path: path, state: state),
      result: result, closed: close, clock: clock
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
  /// Throws ``AuthenticationError/signInExpired`` (or ``AuthenticationError/security`` with
  /// the reason `error_without_state`, if such a redirect arrived in the meantime), the error passed to ``end(_:)``,
  /// and ``AuthenticationError/cancelled`` as soon as the task is cancelled.
  func callback(within timeout: Duration) async throws(AuthenticationError) -> URL {
    let timer = Task { [clock, result, ignored] in
      guard (try? await clock.sleep(for: timeout)) != nil else { return }
      result.complete(.failure(ignored.errorWithoutState ?? .tooSlow))
    }
    defer { timer.cancel() }
    let rounds = Task { [clock, alarm] in
      while (try? await clock.sleep(for: Self.round)) != nil { alarm.ring() }
    }
    defer { rounds.cancel() }
    let outcome = await result.outcome()
    await close()
    return try outcome.get()
  }

  /// Ends the waiting with this error, unless it has already ended.
  func end(_ error: AuthenticationError) { result.complete(.failure(error)) }

  /// Returns when the port is free, which is immediately.
  func close() async {
    stop()
    // In a separate task: a cancelled one would not wait.
    await Task { [closed] in for await _ in closed {} }.value
  }

  private func stop() {
    result.complete(.failure(.cancelled))
    alarm.ring()
  }
}

/// Why redirects were ignored, each reason once: a page that reloads itself is not reported for ever.
private final class IgnoredRedirects: Sendable {
  private let reasons = Mutex<[AuthenticationError]>([])

  /// The last error without a state, which explains why no response comes.
  var errorWithoutState: AuthenticationError? {
    reasons.withLock { $0.last { $0.reason == .errorWithoutState } }
  }

  /// - Returns: whether this reason is new.
  func note(_ reason: AuthenticationError) -> Bool {
    reasons.withLock { reasons in
      guard !reasons.contains(where: { $0.reason == reason.reason && $0.providerCode == reason.providerCode }),
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

/// One browser's connection to a ``CallbackListener``: one request, one response. Nothing here blocks.
struct CallbackConnection {
  let descriptor: Int32
  let startedAt: Duration
  fileprivate private(set) var isOver = false
  fileprivate var received: [UInt8] = []
  /// Set when the response was sent: further input is discarded, so that a connection reset does not lose the response.
  fileprivate var isAnswered = false

  /// Reads the bytes that have arrived, and responds once they are a request; nil until then.
  ///
  /// - Parameter notice: called with why a redirect is ignored, before the browser gets its page.
  mutating func advance(
    _ expectation: CallbackExpectation, noticing notice: (_ ignored: AuthenticationError) -> Void
  ) -> CallbackExpectation.Verdict? {
    switch POSIXSocket.receive(descriptor) {
    case .nothing: return nil
    case .ended:
      isOver = true
      return nil
    case .bytes(let bytes):
      if isAnswered { return nil }
      let searched = max(received.count - 3, 0)
      received += bytes
      guard let verdict = verdict(of: expectation, from: searched) else { return nil }
      if case .ignored(_, let reason) = verdict { notice(reason) }
      answer(verdict)
      return verdict
    }
  }

  /// Looks only at new bytes: a head that arrives byte by byte costs no more than another.
  private func verdict(of expectation: CallbackExpectation, from start: Int) -> CallbackExpectation.Verdict? {
    let end = Array("\r\n\r\n".utf8)
    let found = (start...max(start, received.count - end.count)).first { received[$0...].starts(with: end) }
    let length = found ?? received.count
    if length > CallbackExpectation.longestHead {
      return expectation.verdict(
        onTooLong: String(decoding: received[..<length], as: UTF8.self), isWhole: found != nil)
    }
    return found.map { expectation.verdict(on: String(decoding: received[..<$0], as: UTF8.self)) }
  }

  /// A page is smaller than any socket's buffer: it is sent immediately, or the browser has disconnected.
  private mutating func answer(_ verdict: CallbackExpectation.Verdict) {
    let page =
      switch verdict {
      case .callback(_, let page): page
      case .overlong: CallbackPage.tooLong
      case .refused(let page), .ignored(let page, _): page
      }
    POSIXSocket.write(page.bytes, to: descriptor)
    POSIXSocket.finishSending(descriptor)
    isAnswered = true
    received = []
  }

  func close() { POSIXSocket.end(descriptor) }
}
#endif

/// Shows a page and calls back: `ASWebAuthenticationSession`, or a script in a test. It may refuse to start, call back
/// twice, or never.
@MainActor protocol CallbackAgent: Sendable {
  /// Returns false if it does not start; then it need not call back.
  func start(_ url: URL, completing callback: OneShotCallback) -> Bool
  /// Closes the page; does nothing if it is already closed.
  func cancel()
}

extension CallbackAgent {
  /// Returns the first callback; the page is closed when this returns or throws.
  func callback(from url: URL) async throws(AuthenticationError) -> URL {
    let callback = OneShotCallback()
    guard start(url, completing: callback) else { throw .notStarted }
    defer { cancel() }
    return try await callback.value()
  }
}

extension AuthenticationError {
  static let notStarted = Self(
    .browserUnavailable, "The system did not start the browser session.",
    suggestion: "Start it while the app is in front and the anchor is in a window, and not twice at once.")
}

/// The page that a ``CallbackListener`` shows in a browser: fixed text, nothing from the request, and no links.
///
/// It is shown before the code is exchanged for tokens, so that it never says that a user is signed in: the app does.
struct CallbackPage: Equatable {
  let status: String
  let title: String
  let words: String
  var allowed: String?

  // The response to the sign-in that is open.
  static let received = Self(
    status: "200 OK", title: "Return to the app",
    words: "The app goes on from here, and says whether the sign-in succeeds. You can close this window.")
  static let declined = Self(
    status: "200 OK", title: "Not signed in", words: "The sign-in was declined. Return to the app to try again.")
  static let expired = Self(
    status: "200 OK", title: "Not signed in",
    words: "The sign-in took too long and has expired. Begin it again in the app.")
  static let refused = Self(
    status: "200 OK", title: "Not signed in", words: "The provider refused the sign-in. The app says why.")

  // Any other request, which has no effect.
  static let otherAttempt = Self(
    status: "400 Bad Request", title: "No sign-in is open for this",
    words: "This answers no sign-in that is open here: it has expired, or another took its place. Nothing was changed.")
  static let errorWithoutState = Self(
    status: "400 Bad Request", title: "Not signed in",
    words: "The provider refused a sign-in without saying which (it left out 'state'), so that nothing was changed. "
      + "This is the provider's fault. Return to the app, and begin again.")
  static let embedded = Self(
    status: "403 Forbidden", title: "Refused",
    words: "Only a page that a user opens is answered here. Nothing was changed.")
  static let notFound = Self(status: "404 Not Found", title: "Not found", words: "There is nothing here.")
  static let otherMethod = Self(
    status: "405 Method Not Allowed", title: "Refused", words: "Only GET is answered here.", allowed: "GET")
  static let otherHost = Self(status: "421 Misdirected Request", title: "Refused", words: "This is another host.")
  static let malformed = Self(
    status: "400 Bad Request", title: "Refused", words: "This is not a request that is understood here.")
  static let tooLong = Self(
    status: "431 Request Header Fields Too Large", title: "Refused", words: "The request is too long.")

  /// The page for a response with this error, or without one (RFC 6749 §4.1.2.1).
  static func telling(_ error: String?) -> Self {
    switch error {
    case nil: received
    case "access_denied"?: declined
    case "expired_token"?: expired
    default: refused
    }
  }

  /// Title and words are constants without a character that HTML escapes.
  private var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>\(title)</title></head>
    <body><h1>\(title)</h1><p>\(words)</p></body>
    </html>

    """
  }

  /// The whole HTTP response. Its headers forbid caching, scripts, framing, content sniffing and referrers.
  var bytes: [UInt8] {
    let html = html
    var lines = [
      "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(html.utf8.count)",
      "Connection: close", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'", "X-Content-Type-Options: nosniff",
    ]
    if let allowed { lines.append("Allow: \(allowed)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + html).utf8)
  }
}
