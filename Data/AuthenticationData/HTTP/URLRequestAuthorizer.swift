public import AuthenticationDomain
#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Authorizes a `URLRequest` for an app that sends it with a client of its own.
///
/// After a 401, ask again with `rejecting:` and the token that was refused, and send the result once; without it where
/// ``asksAgain(_:to:)`` says so.
public struct URLRequestAuthorizer<Source: SessionSource>: Sendable {
  @usableFromInline let source: Source
  @usableFromInline let allowedOrigins: [Origin]
  @usableFromInline let proof: (any RequestProof)?

  /// Takes sessions from `source`; only requests to `allowedOrigins` are authorized.
  ///
  /// - Parameter proof: for tokens that are bound to a key. A request is then good for one sending.
  public init(source: Source, allowedOrigins: Set<Origin>, proof: (any RequestProof)? = nil) {
    self.source = source
    self.allowedOrigins = Array(allowedOrigins)
    self.proof = proof
  }

  /// The request with a valid token. Throws ``AuthenticationError/Code/originNotAllowed`` for any other origin.
  ///
  /// One that the caller does not use again is not copied.
  @inlinable
  public func authorized(
    _ request: consuming URLRequest, rejecting rejected: AccessToken? = nil
  ) async throws(AuthenticationError) -> URLRequest {
    guard let url = request.url, Origin.any(of: allowedOrigins, contains: url) else { throw .originNotAllowed(request) }
    let session = try await source.validSession(rejecting: rejected)
    try request.attach(session, proof)
    return request
  }

  /// Learns the nonce an answer brings, and says whether the server asks for it in the proof (RFC 9449 §8.2, §9).
  ///
  /// Pass every answer where tokens are bound to a key. True means that the request, whatever its method, was not
  /// processed: authorize it anew, and send the result once; where that asks again, it is the answer. Without a proof,
  /// and for what a redirect brought from another origin, false.
  ///
  /// - Parameter request: as it was sent.
  public func asksAgain(_ response: HTTPURLResponse, to request: URLRequest) -> Bool {
    guard let proof, let url = request.url, Origin(url) == response.url.flatMap(Origin.init) else { return false }
    var sent = HTTPRequest(HTTPMethod(rawValue: request.httpMethod ?? "GET"), url)
    for (name, value) in request.allHTTPHeaderFields ?? [:] { sent.headers.append(name, value) }
    return proof.asksAgain(HTTPResponse(response, Data()), to: sent)
  }
}

extension URLRequest {
  @usableFromInline
  mutating func attach(_ session: AuthSession, _ proof: (any RequestProof)?) throws(AuthenticationError) {
    let authorization = session.authorization.reveal()
    // Assigning all fields at once is ten times cheaper than setting one on Linux; the token's characters are known
    // to be good since it was received.
    var fields = allHTTPHeaderFields ?? [:]
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
    // Also where there is no new one: what is left of an earlier sending would be a lie.
    for name in fields.keys where name.equalsIgnoringCase("DPoP") { fields[name] = nil }
    for field in proved.headers.fields { fields[field.name] = field.value }
  }
}

extension AuthenticationError {
  @usableFromInline
  static func originNotAllowed(_ request: URLRequest) -> Self {
    originNotAllowed(HTTPRequest(.get, request.url ?? URL(fileURLWithPath: "/")))
  }
}
