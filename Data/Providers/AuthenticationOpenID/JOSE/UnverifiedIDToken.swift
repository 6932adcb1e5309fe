package import AuthenticationDomain

/// An ID token as received: nothing in it may be trusted (RFC 7519 §7.2).
///
/// ``validated(by:expecting:)`` turns it into an ``IDToken``.
package struct UnverifiedIDToken: Sendable {
  let jws: CompactJWS
  private let claims: JSONObject

  /// Parses a JWT in compact form (RFC 7515 §7.1, RFC 7519 §7.2 steps 1 to 5).
  ///
  /// - Throws: ``AuthenticationError/security`` with the reason `id_token` unless it is three well-formed
  ///   segments within the limits: 64 KiB in all, 4 KiB of header, objects nested at most 32 deep, and 4,096 members.
  package init(_ raw: Secret) throws(AuthenticationError) {
    do throws(MalformedJSON) {
      jws = try CompactJWS(raw.reveal())
      claims = try JSONObject(jws.payload)
    } catch {
      throw .refused(
        by: .idToken,
        "The ID token \(error.limit ?? "is not a well-formed signed JWT with a header of at most 4 KiB").")
    }
  }

  /// Checks the signature, then every claim (OpenID Connect Core §3.1.3.7). Throws
  /// ``AuthenticationError/security`` with the failed check as its reason; `signature` also if no key
  /// matches.
  package func validated(
    by keys: JSONWebKeySet, expecting expectations: IDTokenExpectations
  ) throws(AuthenticationError) -> IDToken {
    let text = { (name: String) in (try? claims.string(name)) ?? nil }
    guard jws.header.isJWT else { throw .refused(by: .idToken, "What came as an ID token is another kind of token.") }
    let algorithm = try jws.checkSignature(by: keys, permitting: expectations.algorithms, of: "ID token") { key in
      expectations.tenants?.allows(key, signing: text("iss"), of: text("tid")) ?? true
    }
    return try IDTokenClaims(claims).checked(against: expectations, algorithm: algorithm)
  }
}

extension UnverifiedIDToken: Redacted {}
