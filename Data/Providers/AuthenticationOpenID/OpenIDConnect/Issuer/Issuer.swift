package import AuthenticationData
package import AuthenticationDomain
package import Foundation
import Synchronization

/// One issuer: the metadata it publishes, and the keys it signs with; each fetched once while fresh.
///
/// This object keeps the fetched documents; see ``shared(_:in:)``.
package final class Issuer: Sendable {
  package let identifier: String
  let document: FetchedDocument<IssuerMetadata>
  private let oauthDocument: FetchedDocument<IssuerMetadata>
  let keys: FetchedDocument<JSONWebKeySet>

  /// How long keys are used after they were fresh if no others can be fetched: an issuer withdraws a stolen key by no
  /// longer publishing it.
  static let longestStaleKeys: Duration = .seconds(86_400)

  /// Throws ``AuthenticationError/invalidConfiguration`` unless the identifier is an https URL (or http to this
  /// machine) without query and fragment (RFC 8414 §2).
  ///
  /// - Parameter endpoints: those that the app sets; they override those that the issuer publishes.
  package init(
    _ identifier: String, client: any HTTPClient, clock: any AuthenticationClock,
    endpoints: [OpenIDClient.Endpoint: String] = [:], publishesMetadata: Bool = true, tenants: IssuerTenants? = nil
  ) throws(AuthenticationError) {
    let documents = IssuerDocuments(
      issuer: try IssuerIdentifier(identifier), client: client, clock: clock, endpoints: endpoints,
      publishesMetadata: publishesMetadata, tenants: tenants)
    let document = FetchedDocument(clock: clock) { () async throws(AuthenticationError) in
      try await documents.metadata()
    }
    self.identifier = identifier
    self.document = document
    oauthDocument = FetchedDocument(clock: clock) { () async throws(AuthenticationError) in
      try await documents.oauthMetadata()
    }
    keys = Self.keys(of: documents, document, clock)
  }

  /// An issuer whose metadata is found in another way than by its name alone.
  ///
  /// - Parameters:
  ///   - known: the metadata, if it has just been fetched.
  ///   - fresh: how long that is used.
  ///   - fetch: fetches it anew, checked.
  package init(
    _ identifier: String, client: any HTTPClient, clock: any AuthenticationClock, known: IssuerMetadata?,
    freshFor fresh: Duration,
    fetch: @escaping @Sendable () async throws(AuthenticationError) -> (value: IssuerMetadata, freshness: Duration)
  ) throws(AuthenticationError) {
    let documents = IssuerDocuments(issuer: try IssuerIdentifier(identifier), client: client, clock: clock)
    let document = FetchedDocument(clock: clock, known: known.map { ($0, fresh) }, fetch: fetch)
    self.identifier = identifier
    self.document = document
    oauthDocument = document
    keys = Self.keys(of: documents, document, clock)
  }

  private static func keys(
    of documents: IssuerDocuments, _ document: FetchedDocument<IssuerMetadata>, _ clock: any AuthenticationClock
  ) -> FetchedDocument<JSONWebKeySet> {
    FetchedDocument(clock: clock, longestStale: longestStaleKeys) { () async throws(AuthenticationError) in
      try await documents.keys(of: document.current().value)
    }
  }

  /// Returns the issuer's metadata (OpenID Connect Discovery §4, RFC 8414 §3): at most a day old, or older if the
  /// issuer cannot be reached.
  package func metadata() async throws(AuthenticationError) -> IssuerMetadata { try await document.current().value }

  /// The same, with the wanted endpoints that only the issuer's RFC 8414 document contains.
  ///
  /// An invalid document counts as absent. If there was no response, the content of the document is unknown, and the
  /// error is thrown: a revocation would otherwise be given up.
  func metadata(with wanted: [OpenIDClient.Endpoint]) async throws(AuthenticationError) -> IssuerMetadata {
    var metadata = try await metadata()
    let missing = wanted.filter { metadata.endpoints[$0] == nil }
    guard !missing.isEmpty else { return metadata }
    do throws(AuthenticationError) {
      let other = try await oauthDocument.current().value
      for endpoint in missing { metadata.endpoints[endpoint] = other.endpoints[endpoint] }
    } catch {
      let unanswered: Set<AuthenticationError> = [
        .unreachable, .connectionLost, .timedOut, .rateLimited, .cancelled,
      ]
      if unanswered.contains(error) { throw error }
    }
    return metadata
  }

  /// Returns the endpoint, from whichever document contains it; nil if the issuer has none.
  package func endpoint(_ wanted: OpenIDClient.Endpoint) async throws(AuthenticationError) -> URL? {
    try await metadata(with: [wanted]).endpoints[wanted]
  }

  /// Validates an ID token with the issuer's keys (OpenID Connect Core §3.1.3.7).
  ///
  /// If no key of the set verifies it, metadata and keys are fetched again and the token is checked once more
  /// (§10.1.1), at most every 30 seconds. Of the expected algorithms, only those that the issuer says it signs with are
  /// accepted.
  ///
  /// - Parameter serverDate: the `Date` of the response that contained the token (UTC). If the token is valid by that
  ///   clock but not by this device's, the error is ``AuthenticationError/clockSkewed``.
  func idToken(
    _ raw: Secret, expecting expected: IDTokenExpectations, serverDate: Date? = nil
  ) async throws(AuthenticationError) -> IDToken {
    var token = try await validated(raw, expecting: expected, serverDate: serverDate)
    token.user = token.user.adding(JSONMembers(unverified: raw)?.claims() ?? [:])
    return token
  }

  private func validated(
    _ raw: Secret, expecting expected: IDTokenExpectations, serverDate: Date?
  ) async throws(AuthenticationError) -> IDToken {
    let token = try UnverifiedIDToken(raw)
    return try await checked { keys, metadata throws(AuthenticationError) in
      try token.validated(by: keys, expecting: expected.limited(to: metadata), at: serverDate)
    }
  }

  /// Returns the result of the check. If it fails as a `signature` does, metadata and keys are fetched again and the
  /// check is made once more, at most every 30 seconds.
  package func checked<Value>(
    _ check: (JSONWebKeySet, IssuerMetadata) throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    let document = try await document.current()
    let keys = try await keys.current()
    do throws(AuthenticationError) {
      return try check(keys.value, document.value)
    } catch {
      guard error.reason == .signature else { throw error }
      // The issuer may have changed its keys, their address, or how it signs.
      let newDocument = try await self.document.newer(than: document)
      let newKeys = try await self.keys.newer(than: keys)
      guard newDocument != nil || newKeys != nil else { throw error }
      return try check((newKeys ?? keys).value, (newDocument ?? document).value)
    }
  }
}

extension IDTokenExpectations {
  /// Without the algorithms that the issuer does not sign with, if it publishes a list.
  fileprivate func limited(to metadata: IssuerMetadata) -> Self {
    var limited = self
    if tenants != nil { limited.issuer = metadata.issuer }
    guard let advertised = metadata.idTokenAlgorithms else { return limited }
    limited.algorithms = algorithms.filter { advertised.contains($0.rawValue) }
    return limited
  }
}

extension UnverifiedIDToken {
  fileprivate func validated(
    by keys: JSONWebKeySet, expecting expected: IDTokenExpectations, at serverDate: Date?
  ) throws(AuthenticationError) -> IDToken {
    do throws(AuthenticationError) {
      return try validated(by: keys, expecting: expected)
    } catch {
      guard let serverDate, error.reason == .lifetime || error.reason == .authentication,
        let offset = expected.now.offset(from: serverDate, beyond: expected.tolerance)
      else { throw error }
      var corrected = expected
      corrected.now = serverDate
      guard (try? validated(by: keys, expecting: corrected)) != nil else { throw error }
      throw .clockSkewed(by: offset)
    }
  }
}

extension Issuer {
  private struct Key: Hashable {
    let identifier: String
    let endpoints: [OpenIDClient.Endpoint: String]
    let publishesMetadata: Bool
    let template: String?
    let transport: ObjectIdentifier
  }

  private struct Place {
    weak var issuer: Issuer?
  }

  private static let places = Mutex<[Key: Place]>([:])

  /// The one issuer of this name for all that share a transport and the machine's clock, so that a process fetches its
  /// documents once while they are fresh; for a transport without an identity, or another clock, a separate one.
  static func shared(
    _ identifier: String, endpoints: [OpenIDClient.Endpoint: String] = [:], publishesMetadata: Bool = true,
    tenants: IssuerTenants? = nil, in environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) -> Issuer {
    let made = try Issuer(
      identifier, client: environment.httpClient, clock: environment.clock, endpoints: endpoints,
      publishesMetadata: publishesMetadata, tenants: tenants)
    guard environment.clock is SystemClock, type(of: environment.transport) is AnyClass else { return made }
    // No other object can get this identity while an issuer lives: its client retains the transport.
    let key = Key(
      identifier: identifier, endpoints: endpoints, publishesMetadata: publishesMetadata, template: tenants?.template,
      transport: ObjectIdentifier(environment.transport as AnyObject))
    return places.withLock { places in
      if let issuer = places[key]?.issuer { return issuer }
      places = places.filter { $0.value.issuer != nil }
      places[key] = Place(issuer: made)
      return made
    }
  }
}

/// A validated issuer identifier, and the addresses of its metadata (OpenID Connect Discovery §2, RFC 8414 §2).
package struct IssuerIdentifier: Sendable {
  /// As given; compared byte for byte.
  package let text: String
  package let origin: Origin
  /// `{issuer}/.well-known/openid-configuration` (OpenID Connect Discovery §4.1).
  let openIDConfiguration: URL
  /// `/.well-known/oauth-authorization-server{path}` (RFC 8414 §3.1).
  let oauthMetadata: URL
  /// All places of metadata, in the order of the Model Context Protocol: as OAuth (RFC 8414 §3.1), as OpenID Connect by
  /// the same rule, and as OpenID Connect Discovery §4.1.
  package let metadataAddresses: [URL]

  /// Throws ``AuthenticationError/invalidConfiguration`` unless it is an https URL (or http to this machine) of
  /// visible ASCII, without user info, query and fragment.
  package init(_ text: String) throws(AuthenticationError) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text), let origin = Origin(url)
    else { throw .invalidIssuer("is not an absolute https URL without user info") }
    guard origin.isSecure else { throw .invalidIssuer("is neither https nor on this machine") }
    guard !text.contains(where: { $0 == "?" || $0 == "#" }) else { throw .invalidIssuer("has a query or a fragment") }
    // The identifier's own spelling is kept: some servers compare it (OpenID Connect Discovery §4.1).
    let trimmed = text.hasSuffix("/") ? text.dropLast() : Substring(text)
    let authority = trimmed.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard authority.count >= 3 else { throw .invalidIssuer("names no host") }
    let host = authority.prefix(3).joined(separator: "/")
    let path = authority.count > 3 ? "/" + authority[3] : ""
    guard let openIDConfiguration = URL(string: trimmed + "/.well-known/openid-configuration"),
      let oauthMetadata = URL(string: host + "/.well-known/oauth-authorization-server" + path)
    else { throw .invalidIssuer("is not a URL") }
    let inserted = path.isEmpty ? nil : URL(string: host + "/.well-known/openid-configuration" + path)
    self.text = text
    self.origin = origin
    metadataAddresses = [oauthMetadata, inserted, openIDConfiguration].compactMap(\.self)
    self.openIDConfiguration = openIDConfiguration
    self.oauthMetadata = oauthMetadata
  }
}

extension AuthenticationError {
  fileprivate static func invalidIssuer(_ reason: String) -> Self {
    invalidConfiguration(
      "The issuer \(reason).",
      suggestion: "Write it like https://id.example.com, exactly as the issuer calls itself.", of: "issuer")
  }
}
