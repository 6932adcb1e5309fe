#if os(macOS) || os(Linux)
public import AuthenticationDomain
public import Foundation

/// Shows the issuer's page in the person's own browser, and receives the redirect on a port of 127.0.0.1 (RFC 8252 §7.3):
/// for command lines and desktop apps.
///
/// ```swift
/// client.presenter = SystemBrowserPresenter(timeout: .seconds(120))
/// ```
public struct SystemBrowserPresenter: AuthorizationPresenter {
  private let timeout: Duration
  private let clock: any AuthenticationClock
  private let open: @Sendable (URL) async throws(AuthenticationError) -> Void
  private let onIgnored: @Sendable (AuthenticationError) -> Void

  /// Creates a presenter that waits for the redirect on the port that the client's ``RedirectURI`` names, or a free one
  /// (RFC 8252 §7.3).
  ///
  /// - Parameters:
  ///   - timeout: for the person to finish; more than 10 minutes has no effect, because the sign-in expires then.
  ///   - clock: the time; replace it in a test.
  ///   - open: shows the page. It may return immediately or when the browser closes; if it throws, the sign-in ends.
  ///   - onIgnored: called, once for each reason, when the browser comes back with something other than the response to
  ///     this sign-in: without its `state`, or with an old one. It is ignored, since any page may send it; the error
  ///     (``AuthenticationError/Code/security`` with ``SecurityCheck/state``) says what was seen and what to do.
  public init(
    timeout: Duration = .seconds(300), clock: any AuthenticationClock = SystemClock(),
    open: @escaping @Sendable (URL) async throws(AuthenticationError) -> Void = SystemBrowser.open,
    onIgnored: @escaping @Sendable (AuthenticationError) -> Void = { _ in }
  ) {
    self.timeout = timeout
    self.clock = clock
    self.open = open
    self.onIgnored = onIgnored
  }

  /// Checks the redirect.
  ///
  /// - Throws: ``AuthenticationError/Code/invalidConfiguration`` for anything but ``RedirectURI/loopback(port:path:)``
  ///   (RFC 8252 §7.3).
  public func validate(_ redirect: RedirectURI) throws(AuthenticationError) { _ = try Self.place(of: redirect) }

  /// Listens from before the page is shown until the response with this `state`, the timeout, or this task's
  /// cancellation (RFC 8252 §8.3). Any other request to the address, such as an image on a web page or a stale tab,
  /// gets a page and has no effect.
  ///
  /// - Throws: ``AuthenticationError/Code/redirectPortBusy``, ``AuthenticationError/Code/signInExpired``,
  ///   ``AuthenticationError/Code/browserUnavailable`` or what `open` throws, ``AuthenticationError/Code/cancelled``,
  ///   and ``AuthenticationError/Code/security`` with ``SecurityCheck/redirect`` for a redirect of more than 64 KiB.
  public func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let (port, path) = try Self.place(of: redirect)
    let listener = try CallbackListener(port: port, path: path, state: state, clock: clock, ignoring: onIgnored)
    let url: URL
    do throws(AuthenticationError) {
      url = try await makeURL(listener.redirectURI)
    } catch {
      await listener.close()
      throw error
    }
    let opening = Task { [open] in
      do throws(AuthenticationError) { try await open(url) } catch { listener.end(error) }
    }
    defer {
      opening.cancel()
      SystemBrowser.forget(url)
    }
    return try await listener.callback(within: timeout)
  }

  private static func place(of redirect: RedirectURI) throws(AuthenticationError) -> (port: UInt16?, path: String) {
    guard case .loopback(let port, let path) = redirect.kind else {
      throw AuthenticationError(
        .invalidConfiguration, "The browser can return to this presenter on a port of this machine only.",
        suggestion: "Use RedirectURI.loopback(), or another presenter.")
    }
    return (port, path)
  }
}
#endif
