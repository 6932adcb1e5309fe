#if Tools && OpenID
package import AuthenticationDomain
import AuthenticationDomainTesting
package import AuthenticationTestingServers

extension LoopbackOpenIDIssuer {
  /// Starts a server with the peculiarities of Microsoft Entra ID: each tenant is a separate issuer, named by a
  /// template; keys name the tenant for which they sign; no UserInfo, no revocation, no `iss` in a redirect; the
  /// redirect is `http://localhost`. It was written from the vendor's documentation, not tried against it.
  ///
  /// ```swift
  /// let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
  /// let entra = try await LoopbackOpenIDIssuer.entra(authority: "organizations", tenant: tenant)
  /// let client = OpenIDClient.entra(
  ///   tenant: "organizations", clientID: "app", allowedTenants: [tenant], endpoint: entra.entraEndpoint)
  /// ```
  ///
  /// - Parameters:
  ///   - authority: the part of the path that names the tenant, or `common`, `organizations`, `consumers`.
  ///   - tenant: the id of the tenant whose users sign in.
  ///   - clock: by whose `now` it issues; the system's by default.
  package static func entra(
    authority: String, tenant: String, clock: any AuthenticationClock = SystemClock()
  ) async throws(LoopbackServerError) -> LoopbackOpenIDIssuer {
    let issuer = LoopbackOpenIDIssuer(.entra(authority: authority), clock: clock)
    try await issuer.start()
    issuer.speakAsEntra(tenant: tenant)
    return issuer
  }

  /// The endpoint of a client: the address of the server, without the tenant.
  package var entraEndpoint: String { state.value.origin }

  /// From now on users of this tenant sign in.
  package func speakAsEntra(tenant: String) {
    state.update { state in
      let template = "\(state.origin)/{tenantid}/v2.0"
      let own = "\(state.origin)/\(tenant)/v2.0"
      let isShared = ["/common/", "/organizations/"].contains { state.options.path.hasPrefix($0) }
      state.quirks.metadata = [
        "issuer": .string(isShared ? template : own),
        "userinfo_endpoint": "https://graph.microsoft.com/oidc/userinfo", "subject_types_supported": ["pairwise"],
      ]
      for member in [
        "revocation_endpoint", "introspection_endpoint", "pushed_authorization_request_endpoint",
        "code_challenge_methods_supported", "authorization_response_iss_parameter_supported",
        "dpop_signing_alg_values_supported",
      ] {
        state.quirks.metadata[member] = .absent
      }
      state.quirks.redirectParameters["iss"] = .absent
      state.quirks.idTokenClaims = [
        "iss": .string(own), "tid": .string(tenant), "oid": "00000000-0000-0000-66f3-3332eca7ea81", "ver": "2.0",
        "at_hash": .absent, "auth_time": .absent, "acr": .absent,
      ]
      let keys = state.publishedKeys ?? []
      let issuer = JSON.string(isShared ? template : own)
      state.quirks.keySet = .object(["keys": .array(keys.map { $0.replacing(["issuer": issuer]) })])
    }
  }
}

extension LoopbackOpenIDIssuer.Options {
  /// At the path of an authority of Microsoft Entra ID.
  package static func entra(authority: String) -> Self {
    var options = Self()
    options.path = "/\(authority)/v2.0"
    options.redirectURIs = ["http://localhost", "com.example.app:/callback"]
    options.accessTokenLifetime = .seconds(3_900)
    return options
  }
}
#endif
