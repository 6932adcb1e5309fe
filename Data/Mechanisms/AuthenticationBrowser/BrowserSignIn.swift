public import AuthenticationDomain
public import Foundation

/// Signs in on the provider's own page, in an external user agent (authorization code with PKCE, RFC 8252).
///
/// ```swift
/// let user = try await root.useCase.signIn(with: BrowserSignIn(SignInHints(prompt: ["select_account"])))
/// ```
///
/// The hints are request parameters (OpenID Connect Core §3.1.2.1) of an OpenID issuer; another provider passes on
/// those that it knows. Without a `prompt` the user is asked for consent if `offline_access` is requested where a
/// refresh token needs it (§11, `OpenIDClient.asksConsentForOfflineAccess`), and for nothing otherwise. With `none` no
/// page is shown: if the user is not signed in at the issuer, the sign-in fails with
/// ``AuthenticationError/insufficientUserAuthentication``. Without `locales` the languages are left to
/// `OpenIDClient.parameters`. A `returning` user without a `prompt` is asked for without a page first (`prompt=none`
/// with `id_token_hint` and `login_hint`), and on the issuer's page if it wants one; without a page no other user is
/// signed in.
public struct BrowserSignIn: Credentials {
  package var hints: SignInHints

  /// By default ``SignInMethod/browser``; one of its vendors, as in ``SignInMethod/browser(_:)``, where the provider
  /// has several.
  public let method: SignInMethod

  /// Creates a sign-in with these request parameters (OpenID Connect Core §3.1.2.1).
  ///
  /// - Parameters:
  ///   - hints: by default the provider decides.
  ///   - method: whose page it is.
  public init(_ hints: SignInHints = SignInHints(), method: SignInMethod = .browser) {
    self.hints = hints
    self.method = method
  }

  /// Checks the prompt.
  ///
  /// - Throws: ``AuthenticationError/invalidRequest`` if `none` is not alone.
  public func validate() throws(AuthenticationError) {
    guard !hints.prompt.contains("none") || hints.prompt.count == 1 else {
      throw AuthenticationError(
        .invalidRequest, "The prompt 'none' is asked for together with another one.", suggestion: "Ask for it alone.")
    }
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
  package let url: URL

  /// Finishes a sign-in with the URL that opened the app.
  public init(url: URL) { self.url = url }

  /// ``SignInMethod/browser``.
  public var method: SignInMethod { .browser }
}

extension Credentials where Self == BrowserSignIn {
  /// Signs in on the provider's own page.
  public static var browser: Self { BrowserSignIn() }
  /// Signs in on another vendor's page, through the provider's.
  public static func browser(_ vendor: SignInMethod) -> Self { BrowserSignIn(method: .browser(vendor)) }
}

extension SignInProcess {
  /// A page in a browser, with the hints of the attempt.
  package static func page(_ method: SignInMethod) -> Self {
    Self(method) { context throws(AuthenticationError) in
      context.onExternalInteraction(ExternalInteraction(.browser))
      return BrowserSignIn(context.input.hints, method: method)
    }
  }
}
