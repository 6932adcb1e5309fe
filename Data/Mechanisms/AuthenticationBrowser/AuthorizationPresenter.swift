public import AuthenticationDomain
public import Foundation

/// An external user agent that shows the issuer's page and receives the redirect that ends it (RFC 8252 §6).
///
/// ### Choose a presenter
///
/// | presenter | for |
/// |---|---|
/// | `WebAuthenticationSessionPresenter` | the system's sheet on Apple platforms |
/// | ``SystemBrowserPresenter`` | the user's browser on macOS and Linux, which returns to a port of this machine |
///
/// ### Implement a presenter
///
/// Never show the page in an embedded web view: the app could read the user's input (RFC 8252 §8.12). Prepare for the
/// redirect first, then ask for the page's address, since a loopback redirect has its port only then. Return the
/// redirect as received: the caller checks it.
///
/// A module that does not enable the upcoming feature `NonisolatedNonsendingByDefault` writes the closure's type out to
/// conform: `_ makeURL: nonisolated(nonsending) @Sendable (String) async throws(AuthenticationError) -> URL`.
///
/// ```swift
/// struct KioskPresenter: AuthorizationPresenter {
///   func present(
///     redirectingTo redirect: RedirectURI, answering state: String,
///     _ makeURL: nonisolated(nonsending) @Sendable (String) async throws(AuthenticationError) -> URL
///   ) async throws(AuthenticationError) -> URL {
///     try await kiosk.page(at: makeURL("com.example.kiosk:/done"))
///   }
/// }
/// ```
///
/// ### Errors
///
/// ``AuthenticationError/cancelled`` if the user closed the page; an error of the issuer is in the redirect, and no
/// error of the presenter. A sign-in expires 10 minutes after it began.
///
/// ### Concurrency
///
/// One call shows one page. When its task is cancelled, close the page and return soon, so that the port is free for
/// the next sign-in. Calls for several sign-ins may overlap: tell their redirects apart by the state.
public protocol AuthorizationPresenter: Sendable {
  /// Prepares to receive the redirect, calls `makeURL` for the page to show, and shows it.
  ///
  /// - Parameters:
  ///   - redirect: where the page returns to.
  ///   - state: the value that only the response to this request contains; ignore responses with another one. Empty for
  ///     a page that returns none, such as one that ends a session: take any.
  ///   - makeURL: takes the actual redirect URI, with the port of a loopback one, and returns the page's URL.
  /// - Returns: the URL of the redirect as received, unchecked.
  /// - Throws: ``AuthenticationError/cancelled`` if the user closed the page, and
  ///   ``AuthenticationError/redirectPortBusy``.
  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL

  /// Checks a redirect when the app is composed. By default every well-formed redirect is accepted.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for a redirect that never reaches this presenter.
  func validate(_ redirect: RedirectURI) throws(AuthenticationError)
}

extension AuthorizationPresenter {
  public func validate(_ redirect: RedirectURI) throws(AuthenticationError) {}

  /// As ``present(redirectingTo:answering:_:)``, for at most so long; a presenter's own timeout counts as this one.
  ///
  /// If the task is cancelled, this returns when the presenter has ended, so that its port is free.
  ///
  /// - Parameters:
  ///   - limit: after this time the page is left.
  ///   - expiry: thrown then.
  func present(
    redirectingTo redirect: RedirectURI, answering state: String, within limit: Duration,
    by clock: any AuthenticationClock, or expiry: AuthenticationError,
    _ makeURL: @escaping @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let callback = OneShotCallback()
    let showing = Task {
      let shown = await Result.of { () async throws(AuthenticationError) in
        try await present(redirectingTo: redirect, answering: state, makeURL)
      }
      callback.complete(shown.mapError { $0 == .signInExpired ? expiry : $0 })
    }
    let timer = Task {
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      callback.complete(.failure(expiry))
      showing.cancel()
    }
    defer { timer.cancel() }
    let outcome = await callback.outcome()
    if Task.isCancelled {
      showing.cancel()
      await showing.value
    }
    return try outcome.get()
  }
}
