public import AuthenticationDomain

/// An ID token as received: nothing in it may be trusted (RFC 7519 §7.2).
///
/// ``OpenIDConnectProvider/validate(_:nonce:)`` turns it into an ``IDToken``.
public struct UnverifiedIDToken: Sendable {
  let jws: CompactJWS
  private let claims: JSONObject

  /// Parses a JWT in compact form (RFC 7515 §7.1, RFC 7519 §7.2 steps 1 to 5).
  ///
  /// - Throws: ``AuthenticationError/Code/security`` with ``SecurityCheck/idToken`` unless it is three well-formed
  ///   segments within the limits: 64 KiB in all, 4 KiB of header, and objects nested at most 32 deep.
  public init(_ raw: RawIdentityToken) throws(AuthenticationError) {
    do throws(MalformedJSON) {
      jws = try CompactJWS(raw.value.reveal())
      claims = try JSONObject(jws.payload)
    } catch {
      throw .refused(by: .idToken, "The ID token is not a well-formed signed JWT within the limits.")
    }
  }

  /// The key that the header names; not trusted.
  var keyID: String? { jws.header.keyID }

  /// Checks the signature, then every claim (OpenID Connect Core §3.1.3.7). Throws
  /// ``AuthenticationError/Code/security`` with the check that failed; ``SecurityCheck/signature`` also if no key
  /// matches.
  package func validated(
    by keys: JSONWebKeySet, expecting expectations: IDTokenExpectations
  ) throws(AuthenticationError) -> IDToken {
    let algorithm = try checkSignature(by: keys, permitting: expectations.algorithms)
    return try IDTokenClaims(claims).checked(against: expectations, algorithm: algorithm)
  }

  private func checkSignature(
    by keys: JSONWebKeySet, permitting permitted: Set<SignatureAlgorithm>
  ) throws(AuthenticationError) -> SignatureAlgorithm {
    guard jws.header.isJWT else { throw .refused(by: .idToken, "What came as an ID token is another kind of token.") }
    guard !jws.header.isCritical else {
      throw .refused(by: .signature, "The ID token demands an extension that is not understood here (crit).")
    }
    guard let algorithm = jws.header.algorithm, permitted.contains(algorithm) else {
      throw .refused(by: .signature, "The ID token's signature algorithm is not permitted.")
    }
    let fitting = keys.keys(for: algorithm, id: keyID, permitting: permitted)
    guard !fitting.isEmpty else {
      throw .refused(by: .signature, "No key of the issuer fits the ID token's \(algorithm) signature.")
    }
    guard fitting.contains(where: { $0.isValid(jws.signature, of: jws.signed, by: algorithm) }) else {
      throw .refused(by: .signature, "The ID token's signature is wrong.")
    }
    return algorithm
  }
}

extension UnverifiedIDToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "<unverified ID token>" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
