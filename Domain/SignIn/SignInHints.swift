/// How a provider's own page should be shown, for one attempt (OpenID Connect Core §3.1.2.1). All are optional.
public struct SignInHints: Sendable, Hashable {
  /// A user name to fill in (`login_hint`).
  public var userName: String?
  /// What the page must do, such as `login` or `select_account` (`prompt`).
  public var prompt: [String]
  /// How strongly and how recently the person must have signed in (`acr_values`, `max_age`).
  public var requirements: AuthenticationRequirements
  /// The languages of the page, the best first, as BCP 47 tags (`ui_locales`).
  public var locales: [String]
  /// Who is to go on: the provider is asked without showing its page first, if it can, and on its page otherwise.
  public var returning: ReturningPerson?

  /// By default the provider decides.
  public init(
    userName: String? = nil, prompt: [String] = [], requirements: AuthenticationRequirements = .init(),
    locales: [String] = [], returning: ReturningPerson? = nil
  ) {
    self.userName = userName
    self.prompt = prompt
    self.requirements = requirements
    self.locales = locales
    self.returning = returning
  }
}
