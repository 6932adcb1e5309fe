/// How a provider's own page should be shown, for one attempt (OpenID Connect Core §3.1.2.1). All are optional.
public struct SignInHints: Sendable, Hashable {
  /// A user name to fill in (`login_hint`).
  public var userName: String?
  /// The actions that the page must perform, such as `login` or `select_account` (`prompt`).
  public var prompt: [String]
  /// How strongly and how recently the user must have signed in (`acr_values`, `max_age`).
  public var requirements: AuthenticationRequirements
  /// The languages of the page, the best first, as BCP 47 tags (`ui_locales`).
  public var locales: [String]
  /// The organization whose member is to sign in, by its id (`org_…`) or its name, where the provider has such
  /// (Auth0): an ID token that does not name it is refused, and so is the attempt where it cannot be asked for
  /// (``AuthenticationError/invalidRequest``), such as without a page. The connection or identity provider to use is an attribute
  /// of the attempt: `connection` at Auth0, `kc_idp_hint` at Keycloak.
  public var organization: String?
  /// The user who is to continue: the provider is asked without showing its page first, if it can, and on its page
  /// otherwise.
  public var returning: KnownUser?

  /// By default the provider decides.
  public init(
    userName: String? = nil, prompt: [String] = [], requirements: AuthenticationRequirements = .init(),
    locales: [String] = [], organization: String? = nil, returning: KnownUser? = nil
  ) {
    self.userName = userName
    self.prompt = prompt
    self.requirements = requirements
    self.locales = locales
    self.organization = organization
    self.returning = returning
  }
}

extension AuthenticationError {
  package static let organizationIgnored = Self(
    .invalidRequest, "This way to sign in cannot ask for an organization; nothing was sent.",
    suggestion: "Leave out SignInHints.organization, or sign in on the provider's page.")
}

/// A user whose session is stored, expired or not: "Continue as Ada", with the name and the picture of ``user``.
///
/// ```swift
/// if let session = root.manager.state.session {
///   let ada = KnownUser(session)
///   attempt.submit(SignInInput(hints: SignInHints(returning: ada)))
/// }
/// ```
public struct KnownUser: Sendable, Hashable {
  /// The user, as the app shows them.
  public let user: User
  /// The ID token of that session (`id_token_hint`, OpenID Connect Core §3.1.2.1); nil if it had none.
  public let identityToken: Secret?

  /// The user of a session.
  public init(_ session: AuthSession) { self.init(user: session.user, identityToken: session.tokens.identity) }

  /// A user whom the app remembers.
  public init(user: User, identityToken: Secret? = nil) {
    self.user = user
    self.identityToken = identityToken
  }
}
