import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// Signs in on the issuer's own page, in an external user agent (authorization code with PKCE, RFC 8252).
///
/// ```swift
/// let user = try await root.useCase.signIn(with: BrowserSignIn(SignInHints(prompt: ["select_account"])))
/// ```
///
/// The hints are request parameters (OpenID Connect Core §3.1.2.1). Without a `prompt` the user is asked for consent if
/// `offline_access` is requested where a refresh token needs it (§11, ``OpenIDClient/asksConsentForOfflineAccess``),
/// and for nothing otherwise. With `none` no page is shown: if the user is not signed in at the issuer, the sign-in
/// fails with ``AuthenticationError/insufficientUserAuthentication``. Without `locales` the languages are left to
/// ``OpenIDClient/parameters``. A `returning` user without a `prompt` is asked for without a page first (`prompt=none`
/// with `id_token_hint` and `login_hint`), and on the issuer's page if it wants one; without a page no other user is
/// signed in.
public struct BrowserSignIn: Credentials {
  var hints: SignInHints

  /// Creates a sign-in with these request parameters (OpenID Connect Core §3.1.2.1). By default the issuer decides.
  public init(_ hints: SignInHints = SignInHints()) { self.hints = hints }

  /// ``SignInMethod/browser``.
  public var method: SignInMethod { .browser }
  /// Checks the prompt.
  ///
  /// - Throws: ``AuthenticationError/invalidRequest`` if `none` is not alone.
  public func validate() throws(AuthenticationError) {
    guard !hints.prompt.contains("none") || hints.prompt.count == 1 else {
      throw AuthenticationError(
        .invalidRequest, "The prompt 'none' is asked for together with another one.", suggestion: "Ask for it alone.")
    }
  }

  /// The same without a page; nil if the page is wanted in any case.
  var withoutPage: BrowserSignIn? {
    guard let returning = hints.returning, hints.prompt.isEmpty else { return nil }
    var request = self
    request.hints.prompt = ["none"]
    request.hints.userName = hints.userName ?? returning.user.email
    return request
  }

  /// The same on the page, where another account may be chosen: an ID token would refuse that.
  var onPage: BrowserSignIn {
    var request = self
    request.hints.userName = hints.userName ?? hints.returning?.user.email
    request.hints.returning = nil
    return request
  }
}

/// Finishes a sign-in that was begun before the app was relaunched, with the redirect that opened the app (RFC 6749
/// §4.1.2, RFC 8252 §7.1).
///
/// ```swift
/// try await root.useCase.signIn(with: BrowserReturn(url: url))
/// ```
public struct BrowserReturn: Credentials, Redacted {
  /// The URL as the system passed it to the app; it contains a code.
  let url: URL

  /// Finishes a sign-in with the URL that opened the app.
  public init(url: URL) { self.url = url }

  /// ``SignInMethod/browser``.
  public var method: SignInMethod { .browser }
}

/// Signs in on another device, with a code that the user types there (RFC 8628).
///
/// ```swift
/// try await root.useCase.signIn(with: DeviceSignIn { show($0.address, $0.userCode) })
/// ```
public struct DeviceSignIn: Credentials {
  /// Called once, as soon as there is a code to show.
  let show: @Sendable (ExternalInteraction) async -> Void

  /// Creates a sign-in on another device, whose address, code and lifetime this closure shows (RFC 8628 §3.3).
  public init(show: @escaping @Sendable (ExternalInteraction) async -> Void) { self.show = show }

  /// ``SignInMethod/device``.
  public var method: SignInMethod { .device }
}

extension Credentials where Self == BrowserSignIn {
  /// Signs in on the issuer's own page.
  public static var browser: Self { BrowserSignIn() }
}
