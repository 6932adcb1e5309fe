import AuthenticationDomain

extension OpenIDClient {
  /// The scopes that are requested if the app sets none.
  static let usualScopes = ["openid", "profile", "email", "offline_access"]

  /// The client with what the issuer's metadata decides filled in: its scopes, and how it authenticates.
  func resolved(by metadata: IssuerMetadata) -> OpenIDClient {
    var client = self
    client.scopes = scopes ?? metadata.usualScopes
    client.authentication = authentication.resolved(by: metadata)
    if metadata.prompts?.contains(BrowserSignIn.Prompt.consent.value) == false {
      client.asksConsentForOfflineAccess = false
    }
    return client
  }

  /// The scopes that are requested, of a resolved client.
  var askedScopes: [String] { scopes ?? [] }

  /// Whether what is requested needs `prompt=consent` (OpenID Connect Core §11), of a resolved client.
  var needsConsent: Bool {
    asksConsentForOfflineAccess && !dialect.grantsOfflineAccessWithoutConsent
      && askedScopes.contains("openid") && askedScopes.contains("offline_access")
  }
}

extension IssuerMetadata {
  /// Those of the usual scopes that the issuer lists; all of them if it lists none at all. An issuer that lists ID
  /// token signature algorithms supports `openid`, listed or not (OpenID Connect Discovery §3).
  fileprivate var usualScopes: [String] {
    guard let scopes else { return OpenIDClient.usualScopes }
    return OpenIDClient.usualScopes.filter { scopes.contains($0) || ($0 == "openid" && idTokenAlgorithms != nil) }
  }
}
