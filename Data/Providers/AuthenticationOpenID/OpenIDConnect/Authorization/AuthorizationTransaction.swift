import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import Foundation

/// One authorization request, kept until its response arrives, which is checked against it (RFC 9700 §2.1, §4.4).
struct AuthorizationTransaction: PendingAuthorization, Redacted {
  /// 256 random bits each, of this transaction alone.
  let state: String
  let nonce: String
  let verifier: Secret
  let issuer: String
  let clientID: String
  /// As it was sent; known when the presenter listens.
  var redirectURI: String
  /// UTC.
  let startedAt: Date
  let scopes: [String]
  let requirements: AuthenticationRequirements
  /// As it was sent (OpenID Connect Core §3.1.2.1).
  var prompt: [String] = []
  /// The key to which the tokens will be bound; nil for bearer tokens.
  let proofKey: Secret?
  /// Whether the issuer announced that it names itself in every response (RFC 9207 §3).
  var expectsIssuer = false
  /// Whose member must sign in; nil for any user.
  var organization: String?
}

extension AuthorizationTransaction {
  /// Creates a transaction with new random values of 256 bits each, 43 characters (RFC 7636 §4.1, §7.1; RFC 9700
  /// §4.7.1). Its redirect URI is not known yet.
  init(
    _ request: BrowserSignIn, of client: OpenIDClient, in environment: AuthProviderConfiguration.Environment,
    expectsIssuer: Bool
  ) {
    let random = { Base64URL.encode(environment.randomBytes(32)) }
    let needsConsent = request.hints.prompt.isEmpty && client.needsConsent
    let asked = client.askedScopes
    let scopes = asked + request.hints.requirements.scopes.filter { !asked.contains($0) }
    self.init(
      state: random(), nonce: random(), verifier: Secret(random()), issuer: client.issuer, clientID: client.clientID,
      redirectURI: "", startedAt: environment.clock.now, scopes: scopes,
      requirements: request.hints.requirements, prompt: needsConsent ? ["consent"] : request.hints.prompt,
      proofKey: client.newProofKey, expectsIssuer: expectsIssuer, organization: request.hints.organization)
  }

  /// The stored format, version 1: JSON that contains secrets, for secure storage only. `maxAge` is in seconds,
  /// `startedAt` in seconds since 2001 (UTC). Throws ``AuthenticationError/storageUnavailable`` if it cannot be
  /// written.
  func encoded() throws(AuthenticationError) -> Data {
    let maxAge = requirements.maxAge?.components.seconds
    let stored: JSONBody = [
      "version": JSONValue.number(1), "state": state, "nonce": nonce, "verifier": verifier, "issuer": issuer,
      "clientID": clientID, "redirectURI": redirectURI,
      "startedAt": JSONValue.number(startedAt.timeIntervalSinceReferenceDate), "scopes": scopes,
      "acrValues": requirements.acrValues, "maxAge": maxAge.map { JSONValue.number(Double($0)) }, "prompt": prompt,
      "proofKey": proofKey, "expectsIssuer": expectsIssuer, "organization": organization,
    ]
    guard let data = try? JSONEncoder().encode(stored) else {
      throw AuthenticationError(.storageUnavailable, "The sign-in could not be written down for later.")
    }
    return data
  }

  /// Nil if the data is not a transaction of this version.
  init?(stored data: Data) {
    guard let stored = JSONMembers(json: data), stored.number("version") == 1, let state = stored["state"],
      let nonce = stored["nonce"], let verifier = stored.secret("verifier"), let issuer = stored["issuer"],
      let clientID = stored["clientID"], let redirectURI = stored["redirectURI"],
      let startedAt = stored.number("startedAt"), let expectsIssuer = stored.flag("expectsIssuer")
    else { return nil }
    let maxAge = stored.integer("maxAge", in: Int.min...Int.max)
    self.init(
      state: state, nonce: nonce, verifier: verifier, issuer: issuer, clientID: clientID, redirectURI: redirectURI,
      startedAt: Date(timeIntervalSinceReferenceDate: startedAt), scopes: stored.texts("scopes"),
      requirements: AuthenticationRequirements(
        acrValues: stored.texts("acrValues"), maxAge: maxAge.map { .seconds($0) }),
      prompt: stored.texts("prompt"), proofKey: stored.secret("proofKey"),
      expectsIssuer: expectsIssuer, organization: stored["organization"])
  }
}

extension PendingAuthorizations<AuthorizationTransaction> {
  /// As ``take(state:where:)``, of this issuer and client.
  func take(state: String, of client: OpenIDClient) throws(AuthenticationError) -> AuthorizationTransaction? {
    try take(state: state) { $0.clientID.isSame(as: client.clientID) && $0.issuer.isSame(as: client.issuer) }
  }
}

/// A code, and its transaction (RFC 6749 §4.1.2): state, issuer and redirect URI are checked.
struct AuthorizationGrant: Sendable, Redacted {
  let code: Secret
  let transaction: AuthorizationTransaction
}
