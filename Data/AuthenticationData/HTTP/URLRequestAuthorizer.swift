// Of Apple platforms, and of the tests on Linux, as URLSessionHTTPClient.swift says.
#if canImport(Security) || TESTS
#if TESTS
@testable public import AuthenticationData
#endif
public import AuthenticationDomain
#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Authorizes a `URLRequest` for an app that sends it with its own HTTP client.
///
/// After a 401 with a `Bearer` or `DPoP` challenge, which says that the request was not processed, call
/// ``reauthorized(_:)`` and send the result once. If ``asksAgain(_:to:)`` returns true, authorize the
/// request again.
///
/// A URLSession may send every field of the request along a redirect, to any host that it names: let the delegate
/// follow redirects within the same origin only.
///
/// ```swift
/// let request = try await root.requestAuthorizer.authorized(URLRequest(url: url))
/// ```
///
/// Apple platforms; elsewhere a custom client asks for the token: `try await root.manager.validSession()`.
public struct URLRequestAuthorizer: Sendable {
  private let source: any SessionSource
  private let allowedOrigins: [Origin]
  private let proof: (any RequestProof)?
  private let limit: PathLimit

  /// Creates an authorizer.
  ///
  /// - Parameters:
  ///   - source: supplies the sessions.
  ///   - allowedOrigins: only requests to these are authorized, and of these only https and this machine.
  ///   - proof: for tokens that are bound to a key. An authorized request may then be sent only once.
  public init(source: any SessionSource, allowedOrigins: Set<Origin>, proof: (any RequestProof)? = nil) {
    self.init(source: source, allowedOrigins: allowedOrigins, proof: proof, limit: PathLimit("", at: []))
  }

  package init(
    source: any SessionSource, allowedOrigins: Set<Origin>, proof: (any RequestProof)?, limit: PathLimit
  ) {
    self.limit = limit
    self.source = source
    self.allowedOrigins = allowedOrigins.filter(\.isSecure)
    self.proof = proof
  }

  /// Returns the request with a valid token. A request that the caller does not use again is not copied.
  ///
  /// - Throws: ``AuthenticationError/originNotAllowed`` for any other origin.
  public func authorized(_ request: consuming URLRequest) async throws(AuthenticationError) -> URLRequest {
    guard allows(request.url) else { throw .originNotAllowed(request) }
    let session = try await source.validSession(rejecting: nil)
    try request.attach(session, proof)
    return request
  }

  private func allows(_ url: URL?) -> Bool {
    guard let url else { return false }
    return Origin.any(of: allowedOrigins, contains: url) && limit.allows(url)
  }

  /// Puts another token into a request that a resource refused with 401: the newer one if there already is one,
  /// else a refreshed one, of the user signed in now.
  ///
  /// - Parameter refused: the request as it was sent.
  /// - Throws: ``AuthenticationError/accessTokenRefused`` if another refresh would not help: the 401 is final.
  public func reauthorized(_ refused: consuming URLRequest) async throws(AuthenticationError) -> URLRequest {
    guard allows(refused.url) else { throw .originNotAllowed(refused) }
    var session = try await source.validSession(rejecting: nil)
    let sent = refused.value(forHTTPHeaderField: "Authorization")
    if sent == nil || sent == session.authorization.reveal() {
      session = try await source.validSession(rejecting: session.accessToken)
    }
    try refused.attach(session, proof)
    return refused
  }

  /// Reads the nonce of a response, and says whether the server requires it in the proof (RFC 9449 §8.2, §9).
  ///
  /// If tokens are bound to a key, pass every response.
  ///
  /// - Parameters:
  ///   - response: as it was received.
  ///   - request: as it was sent.
  /// - Returns: true if the request, whatever its method, was not processed: authorize it again, and send the result
  ///   once; if that asks again, the response is final. False without a proof, and for a response that a redirect
  ///   fetched from another origin.
  public func asksAgain(_ response: HTTPURLResponse, to request: URLRequest) -> Bool {
    guard let proof, let url = request.url, Origin(url) == response.url.flatMap(Origin.init) else { return false }
    var sent = HTTPRequest(HTTPMethod(rawValue: request.httpMethod ?? "GET"), url)
    for (name, value) in request.allHTTPHeaderFields ?? [:] { sent.headers.append(name, value) }
    return proof.asksAgain(HTTPResponse(response, Data()), to: sent)
  }
}

extension URLRequest {
  fileprivate mutating func attach(_ session: AuthSession, _ proof: (any RequestProof)?) throws(AuthenticationError) {
    let authorization = session.authorization.reveal()
    // On Linux, assigning all fields together is ten times cheaper than setting one; the token's characters were
    // validated when it was received.
    var fields = allHTTPHeaderFields ?? [:]
    for name in fields.keys where name.equalsIgnoringCase("Authorization") { fields[name] = nil }
    if fields.isEmpty { fields = ["Authorization": authorization] } else { fields["Authorization"] = authorization }
    if let proof { try add(proof, to: &fields, for: session) }
    allHTTPHeaderFields = fields
  }

  private func add(
    _ proof: any RequestProof, to fields: inout [String: String], for session: AuthSession
  ) throws(AuthenticationError) {
    guard let url else { return }
    var proved = HTTPRequest(HTTPMethod(rawValue: httpMethod ?? "GET"), url)
    try proof.prove(&proved, for: session)
    // Also if there is no new proof: one left from an earlier sending would be wrong.
    for name in fields.keys where name.equalsIgnoringCase("DPoP") { fields[name] = nil }
    for field in proved.headers.fields { fields[field.name] = field.value.reveal() }
  }
}

extension AuthenticationError {
  fileprivate static func originNotAllowed(_ request: URLRequest) -> Self {
    originNotAllowed(HTTPRequest(.get, request.url ?? URL(fileURLWithPath: "/")))
  }
}
#endif
