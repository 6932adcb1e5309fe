public import AuthenticationData
public import AuthenticationDomain
import AuthenticationOpenID
public import Foundation

/// An access token that passed every check.
public struct VerifiedAccessToken: Sendable {
  /// `sub`: the user, or the client itself where no user is involved. Nil only if introspection or
  /// ``AccessTokenProfile/plainJWT`` brought none. Unique at the issuer.
  public let subject: String?
  /// `client_id`: the client to which the token was issued; nil as ``subject``.
  public let clientID: String?
  /// `scope`: the granted scopes; empty if the token names none.
  public let scopes: [String]
  /// `exp` (UTC).
  public let expiresAt: Date
  /// Everything that the token or the introspection response says, by name.
  public let claims: [String: JSONValue]
  /// Fields for the response to this request: `DPoP-Nonce` if the client's nonce expires soon (RFC 9449 §8.2), else
  /// none.
  public let responseHeaders: HTTPHeaders

  init(_ claims: AccessTokenClaims, responseHeaders: HTTPHeaders) {
    subject = claims.subject
    clientID = claims.clientID
    scopes = claims.scopes
    expiresAt = claims.expiresAt
    self.claims = claims.all
    self.responseHeaders = responseHeaders
  }
}

/// The claims of an access token (RFC 9068 §2.2) or the members of an introspection response (RFC 7662 §2.2).
struct AccessTokenClaims: Sendable, Redacted {
  enum Source: Sendable, Hashable {
    case jwt(AccessTokenProfile)
    case introspection
  }

  struct Expectations: Sendable {
    let issuer: String
    let audience: String
    let profile: AccessTokenProfile
    let leeway: Duration
  }

  let subject: String?
  let clientID: String?
  let scopes: [String]
  let expiresAt: Date
  /// `cnf.jkt` (RFC 9449 §6.1): the key to which the token is bound; nil for a Bearer token.
  let keyThumbprint: String?
  let all: [String: JSONValue]
  private let source: Source
  private let issuer: String?
  private let audiences: [String]?
  private let issuedAt: Date?
  private let notBefore: Date?

  /// Whether this `typ` is that of an access token (RFC 9068 §4).
  static func isAccessTokenType(_ type: String) -> Bool {
    type.equalsIgnoringCase("at+jwt") || type.equalsIgnoringCase("application/at+jwt")
  }

  /// Throws `invalid_token` unless this is an object whose members have the right types, and those that are required are
  /// there.
  init(json: [UInt8], source: Source) throws(AccessTokenFault) {
    do throws(MalformedJSON) {
      let object = try JSONObject(json)
      guard let all = JSONMembers(json: Data(json))?.values else { throw MalformedJSON() }
      self.all = all
      self.source = source
      issuer = try object.string("iss")
      subject = try object.string("sub")
      audiences = try object.strings("aud", orOne: true)
      issuedAt = try object.date("iat")
      notBefore = try object.date("nbf")
      let isPlain = source == .jwt(.plainJWT)
      let clients = try (object.string("client_id"), object.string("azp"), object.string("appid"))
      clientID = isPlain ? clients.0 ?? clients.1 ?? clients.2 : clients.0
      guard let expiresAt = try object.date("exp") else { throw MalformedJSON(member: "exp") }
      self.expiresAt = expiresAt
      if isPlain {
        let granted = try (object.strings("scope", orOne: true), object.strings("scp", orOne: true))
        scopes = (granted.0 ?? granted.1 ?? []).flatMap(\.words)
      } else {
        scopes = try object.string("scope")?.words ?? []
      }
      keyThumbprint = try object.object("cnf").flatMap { json throws(MalformedJSON) in
        let confirmation = try JSONObject(json)
        // A token that is bound in a way that is not checked here must not pass for one that is not bound.
        guard let thumbprint = try confirmation.string("jkt") else { throw MalformedJSON(member: "cnf") }
        return thumbprint
      }
      if source == .jwt(.rfc9068) {
        for (name, isThere) in [
          ("sub", subject?.isEmpty == false), ("client_id", clientID?.isEmpty == false), ("iat", issuedAt != nil),
          ("jti", try object.string("jti")?.isEmpty == false),
        ] where !isThere { throw MalformedJSON(member: name) }
      }
    } catch {
      throw .invalidToken(
        error.member.map { "The token's '\($0)' is missing or of the wrong kind." }
          ?? "The token's claims are no well-formed JSON object within the limits.")
    }
  }

  /// Checks issuer, audience and times (RFC 9068 §4). An introspection response may leave issuer and audience out: it is
  /// the issuer's own, for this resource (RFC 7662 §2.2, §4).
  func check(_ expected: Expectations, at now: Date) throws(AccessTokenFault) {
    let isAsked = source == .introspection
    guard issuer?.isSame(as: expected.issuer) ?? isAsked else {
      throw .invalidToken("The token was issued by another issuer, or does not say by which.")
    }
    guard audiences?.hasSame(as: expected.audience) ?? isAsked else {
      throw .invalidToken("The token is meant for another resource.")
    }
    let leeway = expected.leeway / .seconds(1)
    guard now < expiresAt.addingTimeInterval(leeway) else { throw .invalidToken("The token has expired.") }
    let latest = now.addingTimeInterval(leeway)
    if let issuedAt, issuedAt > latest { throw .invalidToken("The token was issued in the future.") }
    if let notBefore, notBefore > latest { throw .invalidToken("The token is not valid yet (nbf).") }
  }

  /// An ID token is signed by the same keys (OpenID Connect Core §2, §3.3.2.11).
  func checkIsNoIDToken() throws(AccessTokenFault) {
    let named = ["nonce", "at_hash", "c_hash", "s_hash"].contains { all[$0] != nil }
    guard !named, clientID.map({ audiences?.hasSame(as: $0) != true }) ?? true else {
      throw .invalidToken("The JWT is an ID token, or cannot be told from one.")
    }
  }
}

extension String {
  fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
