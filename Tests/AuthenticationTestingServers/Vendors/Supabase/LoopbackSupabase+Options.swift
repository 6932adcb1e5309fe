#if Tools && OpenID
extension LoopbackSupabase {
  /// The settings of the project, for as long as the server lives.
  public struct Options: Sendable {
    /// The publishable key.
    public var anonKey = "anon-key"
    /// How long an access token lasts.
    public var accessTokenLifetime: Duration = .seconds(3_600)
    /// Digits of a code: 6 to 10.
    public var codeLength = 6
    /// How long the code of a mail works.
    public var mailCodeLifetime: Duration = .seconds(3_600)
    /// How long the code of a text message works.
    public var textCodeLifetime: Duration = .seconds(60)
    /// The least time between two mails or messages to one address.
    public var sendingInterval: Duration = .seconds(60)
    /// How long anybody may use a spent refresh token again.
    public var reuseInterval: Duration = .zero
    /// Whether a new address must be confirmed before the first sign-in.
    public var confirmsAddresses = true
    /// Whether a change of the address must be confirmed from the old one, too.
    public var confirmsBothAddresses = false
    /// Whether a new password takes a nonce that is mailed.
    public var asksReauthentication = false
    /// Whether a new password takes the old one.
    public var asksCurrentPassword = false
    /// Where links may lead.
    public var redirectURLs: Set<String> = ["https://app.example.com/sign-in"]
    /// Where a browser is sent that may not go where the app wants it; without an error.
    public var siteURL = "https://www.example.com"
    /// The identity providers of companies, their ids by the domain.
    public var companies: [String: String] = [:]
    /// Whether a user may link an identity on a page.
    public var linksByHand = true
    /// Whether passkeys are turned on, for pages and apps of `http://localhost`.
    public var hasPasskeys = true
    /// Whose identity tokens are taken, and whose pages lead back.
    public var identityProviders: Set<String> = ["apple", "google", "facebook"]
    /// Gets each request with the status of its response.
    package var onExchange: (@Sendable (LoopbackExchange) -> Void)?

    /// The defaults.
    public init() {}
  }

  /// The action of a user at a page.
  public enum PageUser: Sendable, Hashable {
    /// Signs in there; nil: as Ada.
    case approves(email: String? = nil)
    /// Declines.
    case declines
    /// Fails with an error code of the service.
    case fails(code: String)
  }

  /// The shapes in which the vendor's versions and its gateway write errors.
  public enum ErrorShape: Sendable, Hashable, CaseIterable {
    /// `{"code":"…","message"}`, since version 2024-01-01 of the API.
    case current
    /// `{"code":400,"error_code":"…","msg"}`.
    case older
    /// `{"error","error_description"}`, always 400.
    case oauth
    /// `{"message"}` and the header `x-sb-error-code`.
    case headerOnly
  }
}
#endif
