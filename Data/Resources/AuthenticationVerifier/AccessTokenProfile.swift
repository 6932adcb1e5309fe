/// The requirements for a JWT to be taken for an access token.
public enum AccessTokenProfile: Sendable, Hashable {
  /// RFC 9068: `typ` is `at+jwt`, and `iss`, `exp`, `aud`, `sub`, `client_id`, `iat` and `jti` are there.
  case rfc9068
  /// For issuers that send `typ` `JWT`, or none. `iss`, `exp` and `aud` are there; the client may be `azp` or `appid`,
  /// and the scopes `scp` or an array.
  ///
  /// ID tokens look alike. A token is refused if it has `nonce`, `at_hash`, `c_hash` or `s_hash`, or if its audience is
  /// its client. So an API whose audience is the client's id cannot use this.
  case plainJWT
}
