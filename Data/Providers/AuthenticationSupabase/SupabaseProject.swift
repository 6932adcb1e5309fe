public import AuthenticationBrowser
public import AuthenticationData
public import AuthenticationDomain
import Foundation

/// A project at Supabase, or another GoTrue server, as its dashboard shows it.
///
/// ```swift
/// let project = SupabaseProject(
///   url: "https://abcdefgh.supabase.co", anonKey: "sb_publishable_…", redirectURL: "https://app.example.com/sign-in")
/// let root = try MainRoot(.supabase(project)) { $0.signInLink = .init(host: "app.example.com", path: "/sign-in") }
/// ```
public struct SupabaseProject: Sendable {
  /// The content of the project's mails for a new or changed address, or a forgotten password: a matter of its
  /// templates.
  public enum Confirmation: Sendable {
    /// `{{ .Token }}`: the user types it.
    case code
    /// `{{ .ConfirmationURL }}`: it leads to the `redirectURL`.
    case link
  }

  var url: String
  var anonKey: String
  package var redirectURL: String?
  var codeLength: Int?
  var confirmation: Confirmation
  var createsAccounts: Bool
  var requiresSecondFactor: Bool
  package var methods: [SignInMethod]

  /// A project; a configuration that cannot work is refused when the app is composed.
  ///
  /// - Parameters:
  ///   - url: the project's origin, such as `https://abcdefgh.supabase.co`.
  ///   - anonKey: the publishable (anon) key. A secret or `service_role` key is refused: every user of the app would
  ///     have the project.
  ///   - redirectURL: where links in mails lead, an address of the app's own that the project allows; nil if it sends
  ///     none.
  ///   - codeLength: digits of the codes that the project sends, 6 to 10; nil if that is not known.
  ///   - confirmation: the content of mails besides those of ``SignInMethod/emailCode`` and ``SignInMethod/emailLink``.
  ///   - createsAccounts: whether a code or a link by e-mail or text message creates an account where there is none.
  ///   - requiresSecondFactor: whether a user with a verified second factor is signed in only after it (`aal2`).
  ///     Without it the session is `aal1`, which only the project's own rules restrict.
  ///   - methods: those that the project has turned on. The id of a method with an identity token, and of the vendor of
  ///     a ``SignInMethod/browser(_:)``, is the service's name for it, such as `azure`. ``SignInMethod/emailLink``
  ///     counts only with a `redirectURL`, and a method with a page only with a presenter.
  public init(
    url: String, anonKey: String, redirectURL: String? = nil, codeLength: Int? = nil,
    confirmation: Confirmation = .code, createsAccounts: Bool = true, requiresSecondFactor: Bool = true,
    methods: [SignInMethod] = [.password, .emailCode, .emailLink, .phoneCode, .anonymous, .apple, .google, .facebook]
  ) {
    self.url = url
    self.anonKey = anonKey
    self.redirectURL = redirectURL
    self.codeLength = codeLength
    self.confirmation = confirmation
    self.createsAccounts = createsAccounts
    self.requiresSecondFactor = requiresSecondFactor
    self.methods = methods
  }

  /// The format of a code by e-mail or text message.
  var codeFormat: CodeFormat { codeLength.map(CodeFormat.digits) ?? CodeFormat(length: 6...10) }

  /// - Throws: ``AuthenticationError/invalidConfiguration``, which names the faulty setting without its value.
  func validated() throws(AuthenticationError) -> ServiceURL {
    let service = try ServiceURL(url, key: "url")
    guard !anonKey.isEmpty, anonKey.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .invalid("anonKey", "is empty or holds characters that no header may carry")
    }
    let role = JSONMembers(unverified: Secret(anonKey))?["role"]
    guard !anonKey.hasPrefix("sb_secret_"), role != "service_role" else {
      throw .invalid("anonKey", "is a secret key, which no app may have")
    }
    if let redirectURL {
      guard let url = URL(string: redirectURL), url.scheme != nil, url.fragment() == nil, url.user() == nil else {
        throw .invalid("redirectURL", "is not an absolute URL without user info and fragment")
      }
    } else if confirmation == .link {
      throw .invalid("redirectURL", "is missing, although mails hold links")
    }
    if let codeLength, !(6...10).contains(codeLength) { throw .invalid("codeLength", "is not between 6 and 10") }
    return service
  }
}

extension AuthProviderConfiguration {
  /// Supabase Auth (GoTrue), by plain HTTPS and without the vendor's library.
  ///
  /// | their term | ours |
  /// |---|---|
  /// | access token, refresh token, session | ``AuthSession``; each refresh replaces both tokens |
  /// | `signInWithPassword`, `signUp` | ``PasswordCredentials`` with an e-mail address or a phone number |
  /// | confirm e-mail or phone | a challenge: ``Challenge/Kind/confirmation``, or a link |
  /// | `signInWithOtp` | ``EmailCredentials``, ``PhoneCredentials``, and a challenge for the code |
  /// | magic link, PKCE flow | ``Challenge/Kind/link``: the link works where it was asked for |
  /// | `signInAnonymously`, `linkIdentity`, `updateUser` | `.anonymous`, then ``AuthenticationAccount/AccountChange/link(_:)`` |
  /// | `signInWithIdToken` | ``NativeCredentials`` |
  /// | `signInWithOAuth`, PKCE flow | ``SignInMethod/browser(_:)``, for each provider a button |
  /// | `signInWithSSO` | ``SignInMethod/singleSignOn(_:displayName:)`` |
  /// | OAuth scopes | ``SignInRequest/attributes``, under `scopes` |
  /// | passkey | ``SignInMethod/passkey``; added as a ``Challenge/Kind/passkey``, in the account |
  /// | MFA factor, `aal2` | a challenge after the sign-in: a choice, a one-time password, a text message, or a passkey |
  /// | WebAuthn factor | ``Challenge/Kind/webAuthn`` in the account; named by ``AuthenticationAccount/AccountRequest/attributes``, under `friendly_name` |
  /// | `reauthenticate` | a challenge of ``AuthenticationAccount/AccountChange/changePassword(from:to:)`` |
  /// | `signOut(scope: .local)` | signing out; other devices stay signed in |
  /// | `signOut(scope: .others)` | ending the one entry of ``AuthenticationAccount/AccountUseCase/sessions()`` that is not the current one |
  /// | captcha token | ``SignInRequest/attributes``, under `captcha_token` |
  /// | banned user | ``AuthenticationError/userDisabled`` |
  /// | verified by | our own dialect server only |
  ///
  /// A method that a project has turned off throws ``AuthenticationError/unsupportedMethod``. No client can delete an
  /// account, so that ability is missing. A configuration that cannot work is refused when the app is composed.
  ///
  /// - Parameters:
  ///   - project: the project, and how the app uses it.
  ///   - presenter: shows pages in a browser; nil leaves out the methods that have one.
  ///   - redirect: where a page returns to, by default a port of this machine. Any other address must be among the
  ///     redirect URLs of the project, followed by `**`, since a query is added: else the browser does not come back.
  ///   - realm: by default the project's origin.
  public static func supabase(
    _ project: SupabaseProject, presenter: (any AuthorizationPresenter)? = nil, redirect: RedirectURI = .loopback(),
    realm: String? = nil
  ) -> Self {
    Self(name: "supabase", realm: realm ?? "supabase \(project.url)") { environment throws(AuthenticationError) in
      let service = try project.validated()
      let pages = try presenter.map { presenter throws(AuthenticationError) in
        try redirect.validate()
        try presenter.validate(redirect)
        return SupabasePages(presenter: presenter, redirect: redirect, flow: PageFlow(in: environment))
      }
      let client = SupabaseClient(
        project: project, service: service, http: environment.httpClient, clock: environment.clock)
      let provider = SupabaseAuthProvider(client: client, randomBytes: environment.randomBytes, pages: pages)
      let forms = SignInProcess.forms(for: provider.methods) + [.singleSignOn]
      return Product(
        provider: provider, allowedOrigins: [service.origin],
        processes: provider.methods.compactMap { method in
          method.needs == [.browser] ? .page(method) : forms.first { $0.method == method }
        })
    }
  }
}
