public import AuthenticationData
import AuthenticationDomain

extension AuthProviderConfiguration {
  /// Google, as an OpenID issuer (https://developers.google.com/identity/openid-connect/openid-connect).
  ///
  /// | their term | ours |
  /// |---|---|
  /// | OAuth client | ``GoogleClient`` |
  /// | `serverClientID` | ``GoogleClient/serverClientID``, which is then the audience of ID tokens |
  /// | Workspace domain (`hd`) | ``GoogleClient/hostedDomain`` |
  /// | "Token has been expired or revoked", `invalid_rapt` | ``AuthenticationDomain/AuthenticationError/Code/sessionRejected`` |
  /// | `admin_policy_enforced`, `org_internal`, `disallowed_useragent` | ``AuthenticationDomain/AuthenticationError/Code/declined`` |
  /// | TV and limited-input device | ``AuthenticationDomain/SignInMethod/device`` |
  /// | offline access | `access_type=offline`, without `prompt=consent` |
  /// | judged by | any issuer's independent servers for what it shares with them; its quirks by our own server only |
  ///
  /// A refresh token is not replaced, and ends after half a year without use. The provider is an
  /// ``OpenIDConnectProvider``. A configuration that cannot work is refused when the app is composed:
  /// ``AuthenticationError/Code/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - client: the app as it is registered there.
  ///   - realm: by default the client id.
  public static func google(_ client: GoogleClient, realm: String? = nil) -> Self {
    issuer("google", realm: realm ?? "google \(client.clientID)") { _ throws(AuthenticationError) in
      try client.client()
    }
  }

  /// The same with the defaults of ``GoogleClient``.
  public static func google(
    clientID: String, presenter: (any AuthorizationPresenter)? = nil, endpoint: String? = nil
  ) -> Self {
    var client = GoogleClient(clientID: clientID)
    client.presenter = presenter
    client.endpoint = endpoint
    return .google(client)
  }
}
