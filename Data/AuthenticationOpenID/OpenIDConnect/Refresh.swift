import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Refreshes one session (RFC 6749 §6, OpenID Connect Core §12).
struct Refresh: Sendable {
  let provider: OpenIDConnectProvider
  let session: AuthSession

  func tokens() async throws(AuthenticationError) -> SessionTokens {
    guard let token = session.tokens.refresh else { throw .sessionExpired }
    var form = FormBody(["grant_type": "refresh_token", "refresh_token": token.value.reveal()])
    for resource in provider.client.resources { form.add("resource", resource) }
    let endpoint = try await provider.tokenEndpoint()
    let key = session.tokens.proofKey
    let response = try await endpoint.send(form, provenBy: key)
    if response.status == 400, response.isWordlessRefusal, isNothingElseAtFault { throw .sessionRejected }
    let tokens = try endpoint.tokens(
      of: response, askedFor: session.accessToken.scopes, boundTo: key, refusal: .sessionRejected)
    do throws(AuthenticationError) {
      try tokens.checkBinding()
      return try await identified(tokens, at: response.date(now: provider.environment.clock.now))
    } catch {
      await provider.discard(tokens.without(session.tokens.refresh), isSparing: true)
      throw error
    }
  }

  /// Checks that an ID token continues the one of the sign-in (OpenID Connect Core §12.2). Its times are compared with
  /// the issuer's own clock, if the response has a date: a change of this device's clock must not end a session.
  ///
  /// An ID token that names another person, or that the dialect's own check refuses, is refused, whatever its signature. One that is faulty otherwise is dropped,
  /// and the previous one stays: the previous refresh token may already have been used up, so that refusing the
  /// response would end the session. The fault is reported to the app (``OpenIDClient/onDroppedIDToken``).
  private func identified(_ tokens: SessionTokens, at date: Date?) async throws(AuthenticationError) -> SessionTokens {
    guard let identity = tokens.identity else { return tokens }
    let client = provider.client
    let named = IDTokenParties(unverified: identity)
    let aliases = client.dialect.issuerAliases
    try named?.checkContinue(expectedParties, trusting: client.trustedAudiences, aliases: aliases)
    if let claims = JSONMembers(unverified: identity.value) { try client.dialect.checkIdentity?(claims) }
    guard let original = session.tokens.identity else { return tokens.withoutIdentity }
    do throws(AuthenticationError) {
      var expectations = provider.expectations(for: tokens, at: date ?? provider.environment.clock.now)
      expectations.continuing = try StoredIDToken(original)
      _ = try await provider.issuer.idToken(identity, expecting: expectations)
      return tokens
    } catch {
      if let check = error.check, [.issuer, .subject, .audience].contains(check) { throw error }
      client.onDroppedIDToken(error)
      return tokens.withoutIdentity
    }
  }

  /// The parties of the session's ID token; if none can be read, this client and its issuer.
  private var expectedParties: IDTokenParties {
    let original = session.tokens.identity.flatMap { try? StoredIDToken($0) }
    return original?.claims.parties
      ?? IDTokenParties(
        issuer: provider.client.issuer, subject: nil,
        audiences: [provider.client.dialect.audience ?? provider.client.clientID])
  }

  /// A refusal without a code may also mean a resource or a client that the issuer does not accept.
  private var isNothingElseAtFault: Bool {
    provider.client.resources.isEmpty && provider.client.authentication == .none
  }
}

extension SessionTokens {
  /// The same tokens without the refresh token, if it is the one that stays in use.
  fileprivate func without(_ kept: RefreshToken?) -> SessionTokens {
    SessionTokens(access: access, refresh: refresh == kept ? nil : refresh, identity: identity, proofKey: proofKey)
  }
}
