import AuthenticationDomain

extension OpenIDClient {
  /// What is asked for where the app says nothing.
  static let usualScopes = ["openid", "profile", "email", "offline_access"]

  /// The client with everything decided that the issuer's metadata decides: its scopes, and how it authenticates.
  func resolved(by metadata: IssuerMetadata) -> OpenIDClient {
    var client = self
    client.scopes = scopes ?? metadata.usualScopes
    client.authentication = authentication.resolved(by: metadata)
    return client
  }

  /// What is asked for, of a client that is resolved.
  var askedScopes: [String] { scopes ?? [] }
}

extension IssuerMetadata {
  /// Those of the usual scopes that the issuer lists; all of them where it lists none at all. An issuer that says how it
  /// signs ID tokens knows `openid`, listed or not (OpenID Connect Discovery §3).
  fileprivate var usualScopes: [String] {
    guard let scopes else { return OpenIDClient.usualScopes }
    return OpenIDClient.usualScopes.filter { scopes.contains($0) || ($0 == "openid" && idTokenAlgorithms != nil) }
  }
}
