public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An external user agent that shows the issuer's page and receives the redirect it ends with (RFC 8252 §6).
///
/// Never an embedded web view: the app could read what the person types (RFC 8252 §8.12).
///
/// A module that does not enable the upcoming feature `NonisolatedNonsendingByDefault` writes the closure's type out to
/// conform: `_ makeURL: nonisolated(nonsending) @Sendable (String) async throws(AuthenticationError) -> URL`.
public protocol AuthorizationPresenter: Sendable {
  /// Makes ready to receive the redirect, asks `makeURL` for the page to show, shows it, and answers the URL of the
  /// redirect as it came, unchecked.
  ///
  /// - Parameters:
  ///   - state: what only the answer to this request names; a presenter that hears of others, too, passes over them.
  ///   - makeURL: given the redirect URI as it really is, the port of a loopback one included.
  ///
  /// Throws ``AuthenticationError/Code/cancelled`` if the person closed the page, and
  /// ``AuthenticationError/Code/redirectPortBusy``.
  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL

  /// Throws ``AuthenticationError/Code/invalidConfiguration`` for a redirect that never reaches this presenter; asked
  /// when the app is composed. Every well-formed redirect passes unless a presenter says otherwise.
  func validate(_ redirect: RedirectURI) throws(AuthenticationError)
}

extension AuthorizationPresenter {
  public func validate(_ redirect: RedirectURI) throws(AuthenticationError) {}
}
