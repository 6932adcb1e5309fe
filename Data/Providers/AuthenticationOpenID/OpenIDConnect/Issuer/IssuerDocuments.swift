package import AuthenticationData
package import AuthenticationDomain
package import Foundation
import Synchronization

/// Fetches the documents of an issuer, and keeps nothing.
package struct IssuerDocuments: Sendable {
  package let issuer: IssuerIdentifier
  package let clock: any AuthenticationClock
  private let client: any HTTPClient
  private let endpoints: [OpenIDClient.Endpoint: String]
  private let publishesMetadata: Bool
  private let tenants: IssuerTenants?

  /// - Parameters:
  ///   - endpoints: those that the app sets.
  ///   - publishesMetadata: false for a service that is known to have no documents: none is asked for.
  ///   - tenants: of a service whose documents call themselves otherwise.
  package init(
    issuer: IssuerIdentifier, client: any HTTPClient, clock: any AuthenticationClock,
    endpoints: [OpenIDClient.Endpoint: String] = [:], publishesMetadata: Bool = true, tenants: IssuerTenants? = nil
  ) {
    self.issuer = issuer
    self.client = client
    self.clock = clock
    self.endpoints = endpoints
    self.publishesMetadata = publishesMetadata
    self.tenants = tenants
  }

  /// Returns the OpenID Connect document, or if there is none that of a plain OAuth issuer (RFC 8414 §5). If an issuer
  /// publishes neither, the endpoints that the app sets are used.
  func metadata() async throws(AuthenticationError) -> (value: IssuerMetadata, freshness: Duration) {
    guard publishesMetadata else { return (try namedMetadata(), .seconds(86_400)) }
    let response = try await metadataResponse()
    if response.isNowhere, !endpoints.isEmpty { return (try namedMetadata(), response.freshness) }
    let metadata = try MetadataResponseMapper.map(
      response, of: issuer, now: clock.now, naming: endpoints, tenants: tenants)
    return (metadata, response.freshness)
  }

  package func metadataResponse() async throws(AuthenticationError) -> HTTPResponse {
    let response = try await get(issuer.openIDConfiguration)
    return response.isNowhere ? try await get(issuer.oauthMetadata) : response
  }

  /// Returns the document for plain OAuth clients (RFC 8414 §3): it may contain endpoints that the other document does
  /// not.
  func oauthMetadata() async throws(AuthenticationError) -> (value: IssuerMetadata, freshness: Duration) {
    guard publishesMetadata else { return (try namedMetadata(), .seconds(86_400)) }
    let response = try await get(issuer.oauthMetadata)
    let metadata = try MetadataResponseMapper.map(response, of: issuer, now: clock.now, tenants: tenants)
    return (metadata, response.freshness)
  }

  /// The same before its endpoints are checked; nil if this issuer has none.
  package func oauthWire() async -> MetadataWire? {
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
    guard let url = metadata.endpoints[.keySet] else { throw .noKeySet }
    let response = try await keySetResponse(url)
    return (try JSONWebKeySet(json: response.body), response.freshness)
  }

  package func keySetResponse(_ url: URL) async throws(AuthenticationError) -> HTTPResponse {
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

/// A document of an issuer: fetched once while it is fresh, by one request for all callers that wait for it.
///
/// The request is independent of its callers: if one is cancelled, it continues for the others. If it fails, or takes
/// longer than a second, the old document is returned, for a limited time after it was fresh, and the next try is a
/// minute later. Ages are measured on the monotonic clock.
final class FetchedDocument<Value: Sendable>: Sendable {
  typealias Fetch = @Sendable () async throws(AuthenticationError) -> (value: Value, freshness: Duration)

  /// The fetched document, and the number of the fetch.
  struct Copy: Sendable {
    let value: Value
    let number: Int
  }

  private struct Contents {
    var copy: Copy?
    /// When the copy stops, or stopped, being fresh.
    var staleFrom: Duration = .zero
    var freshUntil: Duration = .zero
    var fetching: Task<Result<Copy, AuthenticationError>, Never>?
    /// When a caller last requested a newer copy although the current one was fresh.
    var refreshedAt: Duration?

    func mayUseStale(at now: Duration, _ longest: Duration?) -> Bool {
      longest.map { now < staleFrom + $0 } ?? true
    }
  }

  private static var pauseAfterFailure: Duration { .seconds(60) }
  private static var pauseBetweenRefreshes: Duration { .seconds(30) }
  private static var longestWait: Duration { .seconds(1) }

  private let contents = Mutex(Contents())
  private let clock: any AuthenticationClock
  /// How long a copy that is no longer fresh is used after a fetch fails; nil for no limit.
  private let longestStale: Duration?
  private let fetch: Fetch

  /// - Parameters:
  ///   - longestStale: how long a copy that is no longer fresh is used if no other can be fetched; nil for no limit.
  ///   - known: a copy that was just fetched, and for how long it is fresh.
  init(
    clock: any AuthenticationClock, longestStale: Duration? = nil, known: (value: Value, freshness: Duration)? = nil,
    fetch: @escaping Fetch
  ) {
    self.clock = clock
    self.longestStale = longestStale
    self.fetch = fetch
    guard let known else { return }
    let freshUntil = clock.uptime + known.freshness
    contents.withLock { contents in
      contents.copy = Copy(value: known.value, number: 1)
      (contents.staleFrom, contents.freshUntil) = (freshUntil, freshUntil)
    }
  }

  /// Returns the current copy while it is fresh, else a new one.
  func current() async throws(AuthenticationError) -> Copy { try await copy(after: 0) }

  /// Returns a newer copy than one that was not sufficient; nil if there is none, or if another caller requested one
  /// less than 30 seconds ago.
  func newer(than seen: Copy) async throws(AuthenticationError) -> Copy? {
    let now = clock.uptime
    let mayAsk = contents.withLock { contents in
      if let copy = contents.copy, copy.number > seen.number { return true }
      if let last = contents.refreshedAt, contents.fetching == nil, now - last < Self.pauseBetweenRefreshes {
        return false
      }
      contents.refreshedAt = now
      return true
    }
    guard mayAsk else { return nil }
    let copy = try await copy(after: seen.number)
    return copy.number > seen.number ? copy : nil
  }

  /// Returns a fresh copy of a later fetch; if the fetch fails, the old one.
  private func copy(after number: Int) async throws(AuthenticationError) -> Copy {
    let now = clock.uptime
    let (known, task) = contents.withLock { contents -> (Copy?, Task<Result<Copy, AuthenticationError>, Never>?) in
      let copy = contents.copy.flatMap { $0.number > number ? $0 : nil }
      if let copy, now < contents.freshUntil { return (copy, nil) }
      if Task.isCancelled { return (nil, nil) }
      let task = contents.fetching ?? Task { await self.run() }
      contents.fetching = task
      return (contents.mayUseStale(at: now, longestStale) ? copy : nil, task)
    }
    guard let task else {
      guard let known else { throw .cancelled }
      return known
    }
    do throws(AuthenticationError) {
      return try await AbandonableCall().run(within: known.map { _ in Self.longestWait }, by: clock) {
        _ throws(AuthenticationError) in try await task.value.get()
      }
    } catch {
      guard let known, error == .timedOut else { throw error }
      contents.withLock { $0.freshUntil = max($0.freshUntil, now + Self.pauseAfterFailure) }
      return known
    }
  }

  /// Returns the result for the waiting callers: after a failure the old copy, if there is one.
  private func run() async -> Result<Copy, AuthenticationError> {
    let result = await Result.of { () async throws(AuthenticationError) in try await fetch() }
    let now = clock.uptime
    return contents.withLock { contents in
      contents.fetching = nil
      switch result {
      case .success(let fetched):
        let copy = Copy(value: fetched.value, number: (contents.copy?.number ?? 0) + 1)
        contents.copy = copy
        contents.staleFrom = now + fetched.freshness
        contents.freshUntil = contents.staleFrom
        return .success(copy)
      case .failure(let error):
        guard let copy = contents.copy, contents.mayUseStale(at: now, longestStale) else {
          return .failure(error)
        }
        contents.freshUntil = max(contents.freshUntil, now + Self.pauseAfterFailure)
        return .success(copy)
      }
    }
  }
}

extension HTTPResponse {
  /// How long an issuer's document may be kept: `max-age` (RFC 9111 §5.2.2.1) between 5 minutes and a day; a day if the
  /// issuer sends none.
  package var freshness: Duration {
    let longest = 86_400
    let directives = headers.values(of: "Cache-Control").joined(separator: ",").lowercased()
      .split(separator: ",").map { $0.filter { !$0.isWhitespace } }
    if directives.contains(where: { $0 == "no-store" || $0 == "no-cache" }) { return .seconds(300) }
    let ages = directives.compactMap { directive in
      directive.hasPrefix("max-age=") ? Int(directive.dropFirst(8).filter { $0 != "\"" }) : nil
    }
    return .seconds(min(max(ages.first ?? longest, 300), longest))
  }
}
