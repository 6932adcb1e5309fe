import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Fetches what an issuer publishes, and keeps nothing.
struct IssuerDocuments: Sendable {
  let issuer: IssuerIdentifier
  let client: any HTTPClient
  let clock: any AuthenticationClock
  /// Endpoints that the app sets.
  var endpoints: [OpenIDClient.Endpoint: String] = [:]
  /// False for a service that is known to have no documents: none is asked for.
  var publishesMetadata = true

  /// Returns the OpenID Connect document, or if there is none that of a plain OAuth issuer (RFC 8414 §5). If an issuer
  /// publishes neither, the endpoints that the app sets are used.
  func metadata() async throws(AuthenticationError) -> (value: IssuerMetadata, freshness: Duration) {
    guard publishesMetadata else { return (try namedMetadata(), .seconds(86_400)) }
    let response = try await metadataResponse()
    if response.isNowhere, !endpoints.isEmpty { return (try namedMetadata(), response.freshness) }
    let metadata = try MetadataResponseMapper.map(response, of: issuer, now: clock.now, naming: endpoints)
    return (metadata, response.freshness)
  }

  func metadataResponse() async throws(AuthenticationError) -> HTTPResponse {
    let response = try await get(issuer.openIDConfiguration)
    return response.isNowhere ? try await get(issuer.oauthMetadata) : response
  }

  /// Returns the document for plain OAuth clients (RFC 8414 §3): it may contain endpoints that the other document does
  /// not.
  func oauthMetadata() async throws(AuthenticationError) -> (value: IssuerMetadata, freshness: Duration) {
    guard publishesMetadata else { return (try namedMetadata(), .seconds(86_400)) }
    let response = try await get(issuer.oauthMetadata)
    return (try MetadataResponseMapper.map(response, of: issuer, now: clock.now), response.freshness)
  }

  /// The same before its endpoints are checked; nil if this issuer has none.
  func oauthWire() async -> MetadataWire? {
    guard let response = try? await get(issuer.oauthMetadata),
      let wire = try? MetadataResponseMapper.wire(response, now: clock.now), wire.names(issuer)
    else { return nil }
    return wire
  }

  /// RFC 7517 §5. The content type is not checked: some issuers serve keys as plain text, and the content itself must
  /// be a key set.
  func keys(of metadata: IssuerMetadata) async throws(AuthenticationError) -> (
    value: JSONWebKeySet, freshness: Duration
  ) {
    guard let url = metadata.keySetURL else {
      throw .noKeySet
    }
    let response = try await keySetResponse(url)
    return (try JSONWebKeySet(json: response.body), response.freshness)
  }

  func keySetResponse(_ url: URL) async throws(AuthenticationError) -> HTTPResponse {
    let response = try await get(url)
    if let error = AuthenticationError.noDocument(response, now: clock.now) { throw error }
    return response
  }

  /// The endpoints that the app sets.
  private func namedMetadata() throws(AuthenticationError) -> IssuerMetadata {
    let wire = MetadataWire(issuer: issuer.text, endpoints: endpoints)
    return try MetadataResponseMapper.metadata(wire, EndpointRule(issuer: issuer.origin))
  }

  private func get(_ url: URL) async throws(AuthenticationError) -> HTTPResponse {
    try await client.send(HTTPRequest(.get, url, headers: ["Accept": "application/json"]))
  }
}

extension HTTPResponse {
  /// Whether there is no document at this address.
  fileprivate var isNowhere: Bool { [404, 405, 410, 501].contains(status) }
}
