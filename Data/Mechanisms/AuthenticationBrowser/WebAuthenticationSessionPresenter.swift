#if canImport(AuthenticationServices)
public import AuthenticationDomain
public import Foundation
#if os(tvOS) || os(watchOS)
import AuthenticationServices
#else
public import AuthenticationServices
#endif

/// Shows the issuer's page in the system's own browser sheet (`ASWebAuthenticationSession`; RFC 8252 §6, appendix B.1).
///
/// The redirect is a private-use scheme (RFC 8252 §7.1) or a claimed https address without a port (§7.2); the latter
/// needs the app's associated domain (`webcredentials`).
///
/// ```swift
/// client.redirect = .address("org.example.notes:/callback")
/// client.presenter = WebAuthenticationSessionPresenter { window }
/// ```
///
/// tvOS shows it on a phone near by, and watchOS on the watch, over no window: `WebAuthenticationSessionPresenter()`.
public struct WebAuthenticationSessionPresenter: AuthorizationPresenter {
  private let isEphemeral: Bool
  #if os(tvOS) || os(watchOS)
  /// Creates a presenter.
  public init() { isEphemeral = false }
  #else
  private let anchor: @MainActor @Sendable () -> ASPresentationAnchor

  /// Creates a presenter.
  ///
  /// - Parameters:
  ///   - isEphemeral: shares no cookies with the browser: no single sign-on, and no prompt before the page.
  ///   - anchor: the window over which to show the sheet, called each time.
  public init(isEphemeral: Bool = false, anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) {
    self.isEphemeral = isEphemeral
    self.anchor = anchor
  }
  #endif

  /// Checks the redirect.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for a loopback redirect, and for one with a port.
  public func validate(_ redirect: RedirectURI) throws(AuthenticationError) { _ = try Self.callback(for: redirect) }

  /// The sheet closes when this task is cancelled, except on tvOS. The system returns the first redirect, whatever its
  /// `state`.
  public func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let (text, callback) = try Self.callback(for: redirect)
    let url = try await makeURL(text)
    #if os(tvOS) || os(watchOS)
    let agent = await WebAuthenticationSessionAgent(callback: callback, isEphemeral: isEphemeral)
    #else
    let agent = await WebAuthenticationSessionAgent(callback: callback, isEphemeral: isEphemeral, anchor: anchor)
    #endif
    return try await agent.callback(from: url)
  }

  private static func callback(
    for redirect: RedirectURI
  ) throws(AuthenticationError) -> (text: String, callback: ASWebAuthenticationSession.Callback) {
    guard case .address(let text) = redirect else { throw .unreceivable("Use RedirectURI.address(_:).") }
    let address = try RedirectURI.Address(text)
    guard address.scheme == "https" else { return (text, .customScheme(String(address.scheme))) }
    guard let host = address.authority, !host.contains(":") else { throw .unreceivable("Leave out the port.") }
    return (text, .https(host: String(host), path: String(address.path)))
  }
}

extension AuthenticationError {
  fileprivate static func unreceivable(_ suggestion: String) -> Self {
    Self(
      .invalidConfiguration, "A browser session of the system cannot receive this redirect.", suggestion: suggestion)
  }
}

/// One `ASWebAuthenticationSession`, which lives as long as its agent.
@MainActor
final class WebAuthenticationSessionAgent: NSObject, CallbackAgent {
  private let callback: ASWebAuthenticationSession.Callback
  private let isEphemeral: Bool
  private var session: ASWebAuthenticationSession?

  #if os(tvOS) || os(watchOS)
  init(callback: ASWebAuthenticationSession.Callback, isEphemeral: Bool) {
    self.callback = callback
    self.isEphemeral = isEphemeral
  }
  #else
  private let anchor: @MainActor @Sendable () -> ASPresentationAnchor

  init(
    callback: ASWebAuthenticationSession.Callback, isEphemeral: Bool,
    anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
  ) {
    self.callback = callback
    self.isEphemeral = isEphemeral
    self.anchor = anchor
  }
  #endif

  func start(_ url: URL, completing callback: OneShotCallback) -> Bool {
    let session = ASWebAuthenticationSession(url: url, callback: self.callback) {
      // Not isolated: the system does not document on which thread it calls.
      @Sendable url, error in callback.complete(url.map { .success($0) } ?? .failure(.session(error)))
    }
    #if !os(tvOS) && !os(watchOS)
    session.presentationContextProvider = self
    #endif
    #if !os(tvOS)
    session.prefersEphemeralWebBrowserSession = isEphemeral
    #endif
    self.session = session
    return session.start()
  }

  func cancel() {
    #if !os(tvOS)
    session?.cancel()
    #endif
    session = nil
  }
}

#if !os(tvOS) && !os(watchOS)
extension WebAuthenticationSessionAgent: ASWebAuthenticationPresentationContextProviding {
  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor() }
}
#endif

extension AuthenticationError {
  fileprivate static func session(_ error: (any Error)?) -> Self {
    guard let error = error as? ASWebAuthenticationSessionError else { return .notStarted }
    if error.code == .canceledLogin { return .cancelled }
    return notStarted.with(\.cause, Cause(domain: "ASWebAuthenticationSessionError", code: error.errorCode))
  }
}
#endif
