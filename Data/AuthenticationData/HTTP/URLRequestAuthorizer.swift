public import AuthenticationDomain
#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Authorizes a `URLRequest` for an app that sends it with a client of its own.
///
/// After a 401 ask ``reauthorized(_:)`` and send the result once; authorize anew where ``asksAgain(_:to:)`` says so.
///
/// A URLSession may carry every field of the request along a redirect, to whatever host it names: let the delegate follow
/// those of the same origin only.
public struct URLRequestAuthorizer<Source: SessionSource>: Sendable {
  @usableFromInline let source: Source
  @usableFromInline let allowedOrigins: [Origin]
  @usableFromInline let proof: (any RequestProof)?

  /// Takes sessions from `source`; only requests to those of `allowedOrigins` that are https, or this machine, are
  /// authorized.
  ///
  /// - Parameter proof: for tokens that are bound to a key. A request is then good for one sending.
  public init(source: Source, allowedOrigins: Set<Origin>, proof: (any RequestProof)? = nil) {
    self.source = source
    self.allowedOrigins = allowedOrigins.filter(\.isSecure)
    self.proof = proof
  }

  /// The request with a valid token. Throws ``AuthenticationError/Code/originNotAllowed`` for any other origin.
  ///
  /// One that the caller does not use again is not copied.
  @inlinable
  public func authorized(_ request: consuming URLRequest) async throws(AuthenticationError) -> URLRequest {
    guard let url = request.url, Origin.any(of: allowedOrigins, contains: url) else { throw .originNotAllowed(request) }
    let session = try await source.validSession(rejecting: nil)
    try request.attach(session, proof)
    return request
  }

  /// A request that a resource has refused with 401, as it was sent, with another token: the one that has come since,
  /// or else a renewed one, of whoever is signed in now.
  ///
  /// Throws ``AuthenticationError/Code/accessTokenRefused`` where another renewal would not help: the 401 is the answer.
  public func reauthorized(_ refused: consuming URLRequest) async throws(AuthenticationError) -> URLRequest {
    guard let url = refused.url, Origin.any(of: allowedOrigins, contains: url) else { throw .originNotAllowed(refused) }
    var session = try await source.validSession(rejecting: nil)
    let sent = refused.value(forHTTPHeaderField: "Authorization")
    if sent == nil || sent == session.authorization.reveal() {
      session = try await source.validSession(rejecting: session.accessToken)
    }
    try refused.attach(session, proof)
    return refused
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
