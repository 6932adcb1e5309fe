import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One issuer: the metadata it publishes, and the keys it signs with; each fetched once while fresh.
///
/// This object keeps the fetched documents; see ``shared(_:in:)``.
final class Issuer: Sendable {
  let identifier: String
  let document: FetchedDocument<IssuerMetadata>
  private let oauthDocument: FetchedDocument<IssuerMetadata>
  let keys: FetchedDocument<JSONWebKeySet>

  /// How long keys are used after they were fresh if no others can be fetched: an issuer withdraws a stolen key by no
  /// longer publishing it.
  static let longestStaleKeys: Duration = .seconds(86_400)

  /// Throws ``AuthenticationError/Code/invalidConfiguration`` unless the identifier is an https URL (or http to this
  /// machine) without query and fragment (RFC 8414 §2).
  ///
  /// - Parameter endpoints: those that the app sets; they override what the issuer publishes.
  init(
    _ identifier: String, client: any HTTPClient, clock: any AuthenticationClock,
    endpoints: [OpenIDClient.Endpoint: String] = [:], publishesMetadata: Bool = true
  ) throws(AuthenticationError) {
    let documents = IssuerDocuments(
      issuer: try IssuerIdentifier(identifier), client: client, clock: clock, endpoints: endpoints,
      publishesMetadata: publishesMetadata)
    let document = FetchedDocument(clock: clock) { () async throws(AuthenticationError) in
      try await documents.metadata()
    }
    self.identifier = identifier
    self.document = document
    oauthDocument = FetchedDocument(clock: clock) { () async throws(AuthenticationError) in
      try await documents.oauthMetadata()
    }
    keys = FetchedDocument(clock: clock, longestStale: Self.longestStaleKeys) { () async throws(AuthenticationError) in
      try await documents.keys(of: document.current().value)
    }
  }

  /// Returns the issuer's metadata (OpenID Connect Discovery §4, RFC 8414 §3): at most a day old, or older if the
  /// issuer cannot be reached.
  func metadata() async throws(AuthenticationError) -> IssuerMetadata {
    try await document.current().value
  }

  /// The same, with the wanted endpoints that only the issuer's RFC 8414 document contains.
  ///
  /// An invalid document counts as absent. If there was no response, it is unknown what the document contains, and the
  /// error is thrown: a revocation would otherwise be given up.
  func metadata(
    with wanted: [any WritableKeyPath<IssuerMetadata, URL?> & Sendable]
  ) async throws(AuthenticationError) -> IssuerMetadata {
    var metadata = try await metadata()
    let missing = wanted.filter { metadata[keyPath: $0] == nil }
    guard !missing.isEmpty else { return metadata }
    do throws(AuthenticationError) {
      let other = try await oauthDocument.current().value
      for endpoint in missing { metadata[keyPath: endpoint] = other[keyPath: endpoint] }
    } catch {
      let unanswered: Set<AuthenticationError.Code> = [
        .unreachable, .connectionLost, .timedOut, .rateLimited, .cancelled,
      ]
      if unanswered.contains(error.code) { throw error }
    }
    return metadata
  }

  /// Returns the endpoint, from whichever document contains it; nil if the issuer has none.
  func endpoint(
    _ wanted: any WritableKeyPath<IssuerMetadata, URL?> & Sendable
  ) async throws(AuthenticationError) -> URL? {
    try await metadata(with: [wanted])[keyPath: wanted]
  }
}
