#if Tools && OpenID

extension IssuerState {
  /// OpenID Connect Discovery §3, RFC 8414 §2.
  var metadata: JSON {
    let members: [String: JSON] = [
      "issuer": .string(identifier),
      "authorization_endpoint": .string(url(of: .authorization)),
      "token_endpoint": .string(url(of: .token)),
      "jwks_uri": .string(url(of: .keys)),
      "userinfo_endpoint": .string(url(of: .userInfo)),
      "revocation_endpoint": .string(url(of: .revocation)),
      "introspection_endpoint": .string(url(of: .introspection)),
      "end_session_endpoint": .string(url(of: .endSession)),
      "device_authorization_endpoint": .string(url(of: .deviceAuthorization)),
      "pushed_authorization_request_endpoint": .string(url(of: .pushedAuthorization)),
      "require_pushed_authorization_requests": .bool(options.requiresPushedRequests),
      "authorization_response_iss_parameter_supported": true,
      "response_types_supported": ["code"],
      "subject_types_supported": ["public"],
      "code_challenge_methods_supported": ["S256"],
      "id_token_signing_alg_values_supported": .strings(algorithms),
      "dpop_signing_alg_values_supported": ["ES256"],
      "scopes_supported": ["openid", "profile", "email", "offline_access", "notes:write"],
      "grant_types_supported": .strings(Grant.allCases.map(\.rawValue)),
      "token_endpoint_auth_signing_alg_values_supported":
        options.clientKeys.isEmpty ? .absent : ["ES256", "RS256", "EdDSA"],
      "token_endpoint_auth_methods_supported": .strings(authenticationMethods),
      "revocation_endpoint_auth_methods_supported": .strings(authenticationMethods),
    ]
    return JSON.object(members).replacing(quirks.metadata)
  }

  /// Whether the metadata lists the scopes, or any at all.
  func lists(_ scopes: [String]) -> Bool {
    guard case .object(let members) = metadata, case .array(let listed) = members["scopes_supported"] else {
      return true
    }
    return scopes.allSatisfy { listed.contains(.string($0)) }
  }

  var keySet: Answer {
    if let broken = quirks.keySet { return .json(broken.text) }
    guard let keys = publishedKeys else { return .error("server_error", status: 500) }
    return .json(JSON.object(["keys": .array(quirks.hidesKeys ? [] : keys)]).text)
  }

  package var publishedKeys: [JSON]? { try? keys.published.map { try $0.published } }

  private var algorithms: [String] {
    Set(keys.published.map(\.algorithm.rawValue)).union(["RS256"]).sorted()
  }

  private var authenticationMethods: [String] {
    if !options.clientKeys.isEmpty { return ["private_key_jwt"] }
    guard options.clientSecret != nil else { return ["none"] }
    return options.clientAuthentication == .basic ? ["client_secret_basic"] : ["client_secret_post"]
  }
}
#endif
