import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Renews one session (RFC 6749 §6, OpenID Connect Core §12).
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
    if response.refusesWithoutWords { throw .sessionRejected }
    let tokens = try endpoint.tokens(
      of: response, askedFor: session.accessToken.scopes, boundTo: key, refusal: .sessionRejected)
    do throws(AuthenticationError) {
      try tokens.checkBinding()
      return try await identified(tokens, at: response.date(now: provider.environment.clock.now))
    } catch {
      await provider.discard(tokens.without(session.tokens.refresh))
      throw error
    }
  }

  /// An ID token must go on from the one of the sign-in (OpenID Connect Core §12.2). The times in it are measured by
  /// the issuer's own clock, where it tells: this device's may have been changed since, which must end no session. An
  /// ID token that cannot be checked now is left out, for the refresh token before it may be spent.
  private func identified(_ tokens: SessionTokens, at date: Date?) async throws(AuthenticationError) -> SessionTokens {
    guard let identity = tokens.identity, let original = session.tokens.identity else { return tokens.withoutIdentity }
    do throws(AuthenticationError) {
      var expectations = provider.expectations(for: tokens, at: date ?? provider.environment.clock.now)
      expectations.continuing = try StoredIDToken(original)
      _ = try await provider.issuer.idToken(identity, expecting: expectations)
      return tokens
    } catch {
      guard error.code == .security else { return tokens.withoutIdentity }
      throw error
    }
  }
}

extension HTTPResponse {
  /// How glewlwyd refuses a refresh: 400, marked as the token endpoint's own by the `no-store` that RFC 6749 §5.1 asks
  /// of it and a proxy's own 400 lacks, and not a word. Taken for `invalid_grant`: else whoever is signed in there would
  /// never be told to sign in again.
  fileprivate var refusesWithoutWords: Bool {
    status == 400 && body.isEmpty && !isFromOtherOrigin
      && headers.values(of: "Cache-Control").contains { $0.lowercased().contains("no-store") }
  }
}

extension SessionTokens {
  /// Without the refresh token where it is the one that stays in use.
  fileprivate func without(_ kept: RefreshToken?) -> SessionTokens {
    SessionTokens(access: access, refresh: refresh == kept ? nil : refresh, identity: identity, proofKey: proofKey)
  }
}
