import AuthenticationData
import AuthenticationDomain

extension OAuthProvider {
  /// X, formerly Twitter (https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code); all of
  /// it from the vendor's documents, and nothing tried (check).
  ///
  /// | their term | ours |
  /// |---|---|
  /// | public client | a client without a secret; PKCE is required |
  /// | `GET /2/users/me`, `username` | ``AuthenticationDomain/User``, and the claim `username`; there is no e-mail address |
  /// | `offline.access` | the scope that brings a refresh token, which serves once |
  /// | judged by | our own dialect server only |
  public static func x(clientID: String) -> Self {
    var provider = Self(
      name: "x", clientID: clientID, tokenEndpoint: "https://api.x.com/2/oauth2/token",
      userEndpoint: "https://api.x.com/2/users/me")
    provider.authorizationEndpoint = "https://x.com/i/oauth2/authorize"
    provider.revocationEndpoint = "https://api.x.com/2/oauth2/revoke"
    provider.scopes = ["users.read", "tweet.read", "offline.access"]
    provider.user = { answer in
      guard let data = JSONMembers(answer).members("data"), let id = data.identifier("id") else { return nil }
      return User(id: id, name: data["name"] ?? data["username"], claims: data.values.filter { $0.key == "username" })
    }
    return provider
  }
}
