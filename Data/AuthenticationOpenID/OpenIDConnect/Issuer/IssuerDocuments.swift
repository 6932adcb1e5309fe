import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Fetches what an issuer publishes; keeps nothing.
struct IssuerDocuments: Sendable {
  let issuer: IssuerIdentifier
  let client: any HTTPClient
  let clock: any AuthenticationClock

  /// The OpenID Connect document, or where there is none that of a plain OAuth issuer (RFC 8414 §5).
  func metadata() async throws(AuthenticationError) -> (value: IssuerMetadata, freshness: Duration) {
    let response = try await metadataResponse()
    return (try MetadataResponseMapper.map(response, of: issuer, now: clock.now), response.freshness)
  }

  func metadataResponse() async throws(AuthenticationError) -> HTTPResponse {
    let response = try await get(issuer.openIDConfiguration)
    return response.status == 404 ? try await get(issuer.oauthMetadata) : response
  }

  /// RFC 7517 §5. The content type is not asked for: some issuers serve keys as plain text, and what is no key set is
  /// refused for that.
  func keys(of metadata: IssuerMetadata) async throws(AuthenticationError) -> (
    value: JSONWebKeySet, freshness: Duration
  ) {
    guard let url = metadata.keySetURL else {
      throw .refused(by: .signature, "The issuer publishes no keys to verify an ID token with (jwks_uri).")
    }
    let response = try await keySetResponse(url)
    return (try JSONWebKeySet(json: response.body), response.freshness)
  }

  func keySetResponse(_ url: URL) async throws(AuthenticationError) -> HTTPResponse {
    let response = try await get(url)
    if let error = AuthenticationError.noDocument(response, now: clock.now) { throw error }
    return response
  }

  private func get(_ url: URL) async throws(AuthenticationError) -> HTTPResponse {
    try await client.send(HTTPRequest(.get, url, headers: ["Accept": "application/json"]))
  }
}
