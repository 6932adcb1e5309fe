#if Tools && OpenID
extension LoopbackOpenIDIssuer {
  /// The settings of the issuer, for as long as it lives.
  public struct Options: Sendable {
    /// The path of the identifier, such as `/tenant` or `/`; empty for none.
    public var path = ""
    /// The id of the one client.
    public var clientID = "app"
    /// Nil for a public client (RFC 6749 §2.1).
    public var clientSecret: String?
    /// How the client must authenticate where it has a secret.
    public var clientAuthentication = ClientAuthentication.basic
    /// The client's public keys, as JSON Web Keys, where it must authenticate by `private_key_jwt` (RFC 7523 §2.2).
    package var clientKeys: [String] = []
    /// As an older server that knows itself by its token endpoint only (RFC 7523 §3).
    package var wantsTokenEndpointAsAudience = false
    /// The workload whose tokens stand for the client.
    package var workload: Workload?
    /// Of a loopback address the port is ignored (RFC 8252 §7.3).
    public var redirectURIs = [
      "http://127.0.0.1/callback", "com.example.app:/callback", "https://app.example.com/callback",
    ]
    /// Where the page may return to after a sign-out.
    public var postLogoutRedirectURIs = ["com.example.app:/signed-out", "http://127.0.0.1/signed-out"]
    /// Whom the issuer knows.
    public var accounts = [Account.ada, .grace]
    package var algorithm = SigningAlgorithm.rs256
    /// How long an access token lasts.
    public var accessTokenLifetime: Duration = .seconds(300)
    /// How long an ID token lasts.
    public var idTokenLifetime: Duration = .seconds(300)
    /// Whether each refresh spends the refresh token (RFC 9700 §4.14.2).
    public var rotatesRefreshTokens = true
    /// How long a spent refresh token still refreshes; after that, using it ends the sign-in.
    public var reuseGrace: Duration = .zero
    /// Refuses authorization requests that were not pushed (RFC 9126 §5).
    public var requiresPushedRequests = false
    /// The least time between two questions of a device (RFC 8628 §3.2).
    public var deviceInterval: Duration = .seconds(5)
    /// How long a device may wait (RFC 8628 §3.2).
    public var deviceCodeLifetime: Duration = .seconds(600)
    /// The demand of `/resource/strong` (RFC 9470 §3).
    public var strongContext = "urn:example:gold"
    /// How recent a sign-in `/resource/strong` asks for.
    public var strongMaxAge: Duration? = .seconds(60)
    /// The resources with separate access tokens; then each access token is a JWT for one of these, or for the issuer
    /// itself.
    public var resources: Set<String> = []
    /// Whether access tokens are JWTs with the claims of RFC 9068.
    public var signsAccessTokens = false
    /// How a request names one of them.
    public var resourceNaming = ResourceNaming.indicator
    /// Where an endpoint is, if not at its usual path.
    package var paths: [Endpoint: String] = [:]
    /// The scope that brings a refresh token; nil if every sign-in has one.
    package var refreshScope: String? = "offline_access"
    /// Gets each request with the status of its response.
    package var onExchange: (@Sendable (LoopbackExchange) -> Void)?

    /// The defaults.
    public init() {}
  }

  /// A workload as the issuer knows it, and the public key of the platform that gives it tokens.
  package struct Workload: Sendable {
    package var issuer = "https://platform.example.com"
    package var subject = "system:serviceaccount:reports:default"
    package var key: String

    package init(key: String) { self.key = key }
  }

  /// How a request to the token endpoint names a resource.
  public enum ResourceNaming: Sendable, Hashable {
    /// `resource` (RFC 8707 §2.2): one that the authorization request named.
    case indicator
    /// `audience`; one that is not known is ignored, as Auth0 does.
    case audience
    /// By the beginning of its scopes, as Microsoft Entra ID has it; those of two resources are refused.
    case scopes
  }

  /// How a client with a secret authenticates (RFC 6749 §2.3.1).
  public enum ClientAuthentication: Sendable, Hashable {
    /// In the header `Authorization`.
    case basic
    /// In the body of the request.
    case post
  }
}
#endif
