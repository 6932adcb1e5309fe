import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// A validated ID token: an issuer's assertion about a user (OpenID Connect Core §2, §3.1.3.7).
public struct IDToken: Sendable {
  let claims: IDTokenClaims

  /// `auth_time` (UTC): when the user last signed in at the issuer.
  public var authenticatedAt: Date? { claims.authenticatedAt }
  /// `acr`.
  public var authenticationContext: String? { claims.authenticationContext }
  /// The user: `sub` is the id, stable at this issuer; `name`, `email` and the like (OpenID Connect Core §5.1) are nil
  /// if the token does not contain them as text. Its further claims about the user are in ``User/claims``.
  public internal(set) var user: User

  init(_ claims: IDTokenClaims) {
    self.claims = claims
    user = claims.user
  }
}

/// The claims of an ID token as they were sent (OpenID Connect Core §2): well-formed, but not checked.
struct IDTokenClaims: Sendable, Redacted {
  let issuer: String?
  let subject: String?
  /// `tid`, of Microsoft Entra ID.
  let tenant: String?
  let audiences: [String]
  let authorizedParty: String?
  let issuedAt: Date?
  let expiresAt: Date?
  let notBefore: Date?
  let authenticatedAt: Date?
  let authenticationContext: String?
  let nonce: String?
  let accessTokenHash: String?
  let codeHash: String?
  /// The members that are only shown.
  let user: User
  /// Whether the name is one that no UserInfo endpoint knows better.
  let hasFullName: Bool

  /// Throws an error with the reason `id_token` if a claim that is checked has a value of the wrong type. A claim that is only
  /// shown to users is then treated as absent.
  init(_ object: JSONObject) throws(AuthenticationError) {
    do throws(MalformedJSON) {
      issuer = try object.string("iss")
      subject = try object.string("sub")
      audiences = try object.strings("aud", orOne: true) ?? []
      authorizedParty = try object.string("azp")
      issuedAt = try object.date("iat")
      expiresAt = try object.date("exp")
      notBefore = try object.date("nbf")
      authenticatedAt = try object.date("auth_time")
      authenticationContext = try object.string("acr")
      nonce = try object.string("nonce")
      accessTokenHash = try object.string("at_hash")
      codeHash = try object.string("c_hash")
    } catch {
      throw .refused(by: .idToken, "The ID token's '\(error.member ?? "")' is of the wrong kind.")
    }
    let text = { (name: String) in (try? object.string(name)) ?? nil }
    tenant = text("tid")
    user = User(
      id: subject ?? "", name: DisplayNameClaims.name(of: subject, text), email: text("email"),
      isEmailVerified: object.flag("email_verified"), phoneNumber: text("phone_number"), picture: text("picture"),
      locale: text("locale"))
    hasFullName = DisplayNameClaims.full.contains { text($0)?.isEmpty == false }
  }
}

extension IDTokenClaims {
  /// Checks claims whose signature was verified by the rules of OpenID Connect Core §3.1.3.7.
  func checked(
    against expected: IDTokenExpectations, algorithm: SignatureAlgorithm
  ) throws(AuthenticationError) -> IDToken {
    guard let issuer, expected.accepts(issuer, of: tenant) else {
      throw .refused(by: .issuer, "The ID token was issued by another issuer, or does not say by which.")
    }
    try checkAudience(expected)
    guard let subject, (1...255).contains(subject.utf8.count), subject.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw .refused(by: .subject, "The ID token names no subject of 1 to 255 ASCII characters.")
    }
    try checkLifetime(expected)
    if let nonce = expected.nonce, !self.nonce.isSame(as: nonce) {
      throw .refused(by: .nonce, "The ID token is for another request: its nonce is another, or missing.")
    }
    try checkHash(accessTokenHash, of: expected.accessToken, algorithm.hash, "access token")
    try checkHash(codeHash, of: expected.code, algorithm.hash, "authorization code")
    try checkAuthentication(expected)
    if let original = expected.continuing {
      try checkContinues(original, aliases: expected.issuerAliases)
    }
    return IDToken(self)
  }

  private func checkAudience(_ expected: IDTokenExpectations) throws(AuthenticationError) {
    let own = expected.audience ?? expected.clientID
    guard audiences.hasSame(as: own) else {
      throw .refused(by: .audience, "The ID token is meant for another client.")
    }
    if let authorizedParty {
      guard authorizedParty.isSame(as: expected.clientID) else {
        throw .refused(by: .audience, "The ID token was issued to another client (azp).")
      }
    }
    // An issuer may add audiences later; to refuse them would end the session, whose refresh token is used up.
    if expected.continuing != nil { return }
    guard
      audiences.allSatisfy({ $0.isSame(as: own) || expected.trustedAudiences.hasSame(as: $0) })
        || expected.acceptsFurtherAudiences && authorizedParty != nil
    else {
      throw .refused(
        by: .audience, "The ID token is also meant for an audience that is not trusted.",
        suggestion: "Name it in OpenIDClient.trustedAudiences, or set acceptsFurtherAudiences.")
    }
    if authorizedParty == nil, audiences.count > 1 || expected.audience != nil {
      throw .refused(by: .audience, "The ID token has several audiences and does not say which it was issued to (azp).")
    }
  }

  private func checkLifetime(_ expected: IDTokenExpectations) throws(AuthenticationError) {
    guard let issuedAt, let expiresAt else {
      throw .refused(by: .idToken, "The ID token does not say when it was issued and when it expires.")
    }
    let tolerance = expected.tolerance / .seconds(1)
    guard expected.now < expiresAt.addingTimeInterval(tolerance) else {
      throw .refused(by: .lifetime, "The ID token has expired.")
    }
    let latest = expected.now.addingTimeInterval(tolerance)
    guard issuedAt <= latest else { throw .refused(by: .lifetime, "The ID token was issued in the future.") }
    if let notBefore, notBefore > latest { throw .refused(by: .lifetime, "The ID token is not valid yet (nbf).") }
  }

  private func checkHash(
    _ hash: String?, of secret: Secret?, _ function: SignatureAlgorithm.Hash, _ what: String
  ) throws(AuthenticationError) {
    guard let hash, let secret else { return }
    guard function.leftHalf(of: secret.reveal()).isSame(as: hash) else {
      throw .refused(by: .tokenHash, "The ID token belongs to another \(what).")
    }
  }

  /// `max_age`, and `acr` as an essential claim (OpenID Connect Core §3.1.2.1, §5.5.1.1). `acr_values` asks for a
  /// voluntary claim: the app checks its value.
  private func checkAuthentication(_ expected: IDTokenExpectations) throws(AuthenticationError) {
    if let maxAge = expected.requirements.maxAge {
      guard let authenticatedAt else {
        throw .refused(by: .authentication, "The ID token does not say when the user signed in (auth_time).")
      }
      let tolerance = expected.tolerance / .seconds(1)
      let age = expected.now.timeIntervalSince(authenticatedAt)
      guard age <= maxAge / .seconds(1) + tolerance, age >= -tolerance else {
        throw .refused(by: .authentication, "The user did not sign in as recently as was asked (max_age).")
      }
    }
    guard let values = expected.essentialContexts else { return }
    guard let authenticationContext, values.isEmpty || values.hasSame(as: authenticationContext) else {
      throw .refused(by: .authentication, "The user did not sign in in any way that was required (acr).")
    }
  }

  var parties: IDTokenParties { IDTokenParties(issuer: issuer, subject: subject, audiences: audiences) }

  /// The claims of a session's ID token: validated before it was stored, and possibly expired since (OpenID Connect
  /// Core §12.2). Throws ``AuthenticationError/storageCorrupt`` if it is no longer a valid ID token.
  init(stored raw: Secret) throws(AuthenticationError) {
    guard let jws = try? CompactJWS(raw.reveal()), let object = try? JSONObject(jws.payload),
      let claims = try? IDTokenClaims(object), claims.issuer != nil, claims.subject != nil
    else {
      throw AuthenticationError(
        .storageCorrupt, "The session's ID token cannot be read.", suggestion: "Signing in replaces it.")
    }
    self = claims
  }

  /// Checks the ID token of a refresh by the rules of OpenID Connect Core §12.2. It may name the client (`azp`) where the
  /// one of the sign-in did not, and the other way round.
  func checkContinues(_ original: IDTokenClaims, aliases: Set<String> = []) throws(AuthenticationError) {
    try parties.checkContinue(original.parties, aliases: aliases)
    guard nonce == nil || nonce.isSame(as: original.nonce) else {
      throw .refused(by: .nonce, "The refreshed ID token has another nonce than the one of the sign-in.")
    }
    // One may be written with a fraction and the other without.
    if let authenticatedAt, let before = original.authenticatedAt, abs(authenticatedAt.timeIntervalSince(before)) >= 1 {
      throw .refused(by: .authentication, "The refreshed ID token is of another sign-in than the one of the session.")
    }
  }
}

/// The values against which an ID token is checked (OpenID Connect Core §3.1.3.7).
package struct IDTokenExpectations: Sendable {
  var issuer: String
  var clientID: String
  var trustedAudiences: Set<String> = []
  /// Whether any audience may be named in addition by a token that was issued to the client (`azp`).
  var acceptsFurtherAudiences = false
  var algorithms = SignatureAlgorithm.all
  /// The nonce that was sent; nil if none was.
  package var nonce: String?
  var requirements = AuthenticationRequirements()
  /// For `at_hash`, which is checked if present.
  package var accessToken: Secret?
  /// For `c_hash`, which is checked if present.
  var code: Secret?
  var now: Date
  var tolerance: Duration = .seconds(60)
  /// The ID token of the sign-in that is refreshed (OpenID Connect Core §12.2); nil for a sign-in.
  var continuing: IDTokenClaims?
  /// Other spellings of the issuer.
  var issuerAliases: Set<String> = []
  /// Where the issuer stands for many: ``issuer`` is then the name that its metadata gives.
  var tenants: IssuerTenants?
  /// The required audience, if it is not the client; the client is then the authorized party (`azp`).
  var audience: String?
  /// The values of `acr` that were requested as an essential claim, empty for any; nil if it was not requested so.
  var essentialContexts: [String]?
  /// The organization that was asked for, which the dialect compares; nil if none was.
  var organization: String?
}

extension IDTokenExpectations {
  fileprivate func accepts(_ issuer: String, of tenant: String?) -> Bool {
    if let tenants { return tenants.accepts(issuer, of: tenant, in: self.issuer) }
    return issuer.isSame(as: self.issuer) || issuerAliases.hasSame(as: issuer)
  }

  package init(issuer: String, clientID: String, now: Date) {
    self.init(issuer: issuer, clientID: clientID, nonce: nil, now: now)
  }
}

extension IDTokenExpectations: Redacted {}

/// The issuer, the subject and the audience that an ID token names (OpenID Connect Core §2).
struct IDTokenParties: Sendable, Redacted {
  let issuer: String?
  /// Nil if it is unknown.
  let subject: String?
  let audiences: [String]

  /// Checks that the ID token of a refresh names the parties of the sign-in, and possibly further audiences (OpenID
  /// Connect Core §12.2). Throws ``AuthenticationError/security`` with the reason `issuer`, `subject` or `audience`.
  ///
  /// - Parameter aliases: spellings of one issuer.
  func checkContinue(_ original: Self, aliases: Set<String>) throws(AuthenticationError) {
    let isAlias = [issuer, original.issuer].allSatisfy { $0.map(aliases.hasSame) ?? false }
    guard isAlias || issuer.isSame(as: original.issuer) else {
      throw .refused(by: .issuer, "The refreshed ID token is of another issuer than the one of the sign-in.")
    }
    guard original.subject == nil || subject.isSame(as: original.subject) else {
      throw .refused(by: .subject, "The refreshed ID token is about another user than the one of the sign-in.")
    }
    guard original.audiences.allSatisfy({ audiences.hasSame(as: $0) }) else {
      throw .refused(by: .audience, "The refreshed ID token has other audiences than the one of the sign-in.")
    }
  }
}

extension IDTokenParties {
  /// As named by the token itself, whatever its header and its signature; nil if its claims cannot be read. A claim of
  /// the wrong type names nothing.
  init?(unverified raw: Secret) {
    let segments = raw.reveal().utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard segments.count > 1, segments[1].count <= CompactJWS.maximumSize,
      let payload = Base64URL.decode(Array(segments[1])[...]), let claims = try? JSONObject(payload)
    else { return nil }
    issuer = (try? claims.string("iss")) ?? nil
    subject = (try? claims.string("sub")) ?? nil
    audiences = ((try? claims.strings("aud", orOne: true)) ?? nil) ?? []
  }
}

extension CompactJWS {
  /// Checks the signature by an issuer's keys, and returns its algorithm (RFC 7515 §5.2). Throws
  /// ``AuthenticationError/security`` with the reason `signature`, also if no key fits.
  ///
  /// - Parameters:
  ///   - what: the kind of token, for the message.
  ///   - mayHaveSigned: whether a key that fits the header counts.
  @discardableResult
  package func checkSignature(
    by keys: JSONWebKeySet, permitting permitted: Set<SignatureAlgorithm>, of what: String,
    _ mayHaveSigned: (JSONWebKey) -> Bool = { _ in true }
  ) throws(AuthenticationError) -> SignatureAlgorithm {
    guard !header.isCritical else {
      throw .refused(by: .signature, "The \(what) demands an extension that is not understood here (crit).")
    }
    guard let algorithm = header.algorithm, permitted.contains(algorithm) else {
      throw .refused(by: .signature, "The \(what)'s signature algorithm is not permitted.")
    }
    let fitting = keys.keys(for: algorithm, id: header.keyID, permitting: permitted).filter(mayHaveSigned)
    guard !fitting.isEmpty else {
      throw .refused(by: .signature, "No key of the issuer fits the \(what)'s \(algorithm.rawValue) signature.")
    }
    guard fitting.contains(where: { $0.isValid(signature, of: signed, by: algorithm) }) else {
      throw .refused(by: .signature, "The \(what)'s signature is wrong.")
    }
    return algorithm
  }
}
