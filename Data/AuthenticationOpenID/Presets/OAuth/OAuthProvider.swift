public import AuthenticationData
public import AuthenticationDomain

/// A service that speaks plain OAuth 2.0 (RFC 6749), and the app as it is registered there. It has no discovery document
/// and no ID token: who signed in is what an API call says.
///
/// ```swift
/// var forge = OAuthProvider(
///   name: "forge", clientID: "app", tokenEndpoint: "https://forge.example/oauth/token",
///   userEndpoint: "https://forge.example/api/user")
/// forge.authorizationEndpoint = "https://forge.example/oauth/authorize"
/// forge.presenter = SystemBrowserPresenter()
/// let root = try MainRoot(.oauth(forge))
/// ```
public struct OAuthProvider: Sendable {
  /// Names it in logs and status.
  public var name: String
  /// The client's id.
  public var clientID: String
  /// How the client authenticates at the token endpoint; an app that is given to people cannot keep a secret.
  public var authentication = ClientAuthentication.none
  /// Where the person signs in by the browser; nil leaves that out.
  public var authorizationEndpoint: String?
  /// Where tokens come from. Where a service wants a secret, this may be the app's own backend, which adds it and passes
  /// the request on.
  public var tokenEndpoint: String
  /// For a code that the person types on another device (RFC 8628); nil leaves that out.
  public var deviceAuthorizationEndpoint: String?
  /// Where tokens are revoked (RFC 7009); nil if the service revokes none for this client.
  public var revocationEndpoint: String?
  /// The API call that says whose token it is.
  public var userEndpoint: String
  /// Maps its answer; nil if that names nobody. A person without an id cannot sign in: two could get the same account.
  /// By default the members `id` (or `sub`), `name`, `email` and `picture`.
  public var user: @Sendable (_ answer: [String: JSONValue]) -> User? = Self.usualUser
  /// The scopes that are requested.
  public var scopes: [String] = []
  /// What stands between the granted scopes, which are sent with spaces.
  public var scopeSeparator: Character = " "
  /// What codes of its own mean in a sign-in. In a refresh only those count that refuse the client
  /// (``AuthenticationDomain/AuthenticationError/Code/clientRejected``), besides ``sessionEndingCodes``.
  public var refusals: [String: AuthenticationError] = [:]
  /// Codes with which a refresh ends the session, besides `invalid_grant`.
  public var sessionEndingCodes: Set<String> = []
  /// Where the browser returns to.
  public var redirect = RedirectURI.loopback()
  /// Shows the service's page.
  public var presenter: (any AuthorizationPresenter)?
  /// Origins to which the access token may be sent, besides the user endpoint's.
  public var allowedOrigins: Set<Origin> = []
  /// The origin of a server of your own, which serves the same paths in place of the vendor's hosts.
  public var endpoint: String?
  /// The addresses of a person whose user endpoint says none.
  var emailsEndpoint: String?
  /// The app's own backend, which an ``endpoint`` does not replace.
  var exchangesAtBackend = false

  /// A service without a page, until its endpoints are set.
  public init(name: String, clientID: String, tokenEndpoint: String, userEndpoint: String) {
    self.name = name
    self.clientID = clientID
    self.tokenEndpoint = tokenEndpoint
    self.userEndpoint = userEndpoint
  }

  @Sendable static func usualUser(_ answer: [String: JSONValue]) -> User? {
    let members = JSONMembers(answer)
    guard let id = members.identifier("id") ?? members.identifier("sub") else { return nil }
    return User(id: id, name: members["name"], email: members["email"], picture: members["picture"])
  }
}

extension JSONMembers {
  /// A text, or a whole number as text.
  func identifier(_ name: String) -> String? {
    self[name] ?? values[name]?.number.flatMap { Int64(exactly: $0) }.map(String.init)
  }
}
