#if Tools && OpenID
extension LoopbackOpenIDIssuer {
  /// How the issuer differs from a faultless one. Members of a response are replaced by name; `.absent` removes one.
  package struct Quirks: Sendable, Hashable {
    /// Of both discovery documents: `["issuer": "https://evil.example"]`, `["token_endpoint": "http://127.0.0.1:1/"]`,
    /// `["authorization_response_iss_parameter_supported": .absent]`.
    package var metadata: [String: JSON] = [:]
    /// The same of `openid-configuration` alone, over ``metadata``: members that are only in the RFC 8414 document.
    package var openIDMetadata: [String: JSON] = [:]
    /// Refuses scopes that the metadata does not list (`invalid_scope`, RFC 6749 §4.1.2.1).
    package var refusesUnlistedScopes = false
    /// Of the redirect's query, strings: `["state": "other"]`, `["iss": .absent]`.
    package var redirectParameters: [String: JSON] = [:]
    /// Of every successful token response: `["expires_in": "300"]`, `["token_type": "bearer"]`, `["refresh_token":
    /// .absent]`.
    package var tokenAnswer: [String: JSON] = [:]
    /// The same for a refresh, over ``tokenAnswer``.
    package var refreshAnswer: [String: JSON] = [:]
    /// `["alg": "none"]`, `["kid": .absent]`, `["crit": ["x"]]`.
    package var idTokenHeader: [String: JSON] = [:]
    /// `["nonce": "other"]`, `["aud": ["app", "other"]]`, `["auth_time": 1767225600.5]`.
    package var idTokenClaims: [String: JSON] = [:]
    /// The same for a refresh, over ``idTokenClaims``.
    package var refreshedIDTokenClaims: [String: JSON] = [:]
    /// Of access tokens that are JWTs with claims: `["typ": "JWT"]`.
    package var accessTokenHeader: [String: JSON] = [:]
    /// `["aud": "https://notes.example.com"]`, `["client_id": .absent]`.
    package var accessTokenClaims: [String: JSON] = [:]
    /// `["sub": "other"]`.
    package var userInfo: [String: JSON] = [:]
    package var introspection: [String: JSON] = [:]
    /// Instead of the issuer's keys: ``JSON/keySetOf512Bits``.
    package var keySet: JSON?
    /// The key set is empty.
    package var hidesKeys = false
    package var signature = Signature.valid
    /// How far the issuer's clock is ahead of the injected one.
    package var clockOffset: Duration = .zero
    /// Whether responses have a `Date` header.
    package var sendsDate = true
    /// Endpoints are published, and served, with a double slash before their last component.
    package var doublesSlashes = false
    /// Refuses proofs without the current nonce (RFC 9449 §8).
    package var requiresNonceAtTokenEndpoint = false
    /// The same at the protected resource (RFC 9449 §9).
    package var requiresNonceAtResource = false
    /// Treats a request with a proof as if there were none: the tokens are Bearer tokens.
    package var ignoresProofs = false
    /// Neither `max_age` nor `acr_values` of an authorization request changes how the user signs in.
    package var ignoresRequirements = false
    /// A token request for a resource gets a token for the issuer itself (`aud`).
    package var ignoresResources = false

    package init() {}

    /// The fault of ID tokens' signatures.
    package enum Signature: Sendable, Hashable {
      case valid
      /// One bit is another.
      case altered
      /// By an unpublished key under the published one's `kid`.
      case ofAnotherKey
      case missing
    }
  }
}

extension JSON {
  /// A key set whose only key is an RSA key of 512 bits.
  package static let keySetOf512Bits: JSON = [
    "keys": [
      [
        "kty": "RSA", "kid": "key-1", "use": "sig", "alg": "RS256", "e": "AQAB",
        "n": "zNkkWztWpzXyEft-BL979c8PSW8f4r_UXyY-c34k2ZjfEqSqor_Z-mVK5uKIAldtb-cVXIt2jYA0SWpGNLZyXQ",
      ]
    ]
  ]
}
#endif
