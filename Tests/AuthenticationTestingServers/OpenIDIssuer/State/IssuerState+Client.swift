#if Tools && OpenID
import Foundation

extension IssuerState {
  /// The form of a request whose client is the registered one (RFC 6749 §2.3); else how to refuse it.
  mutating func authenticatedForm(_ request: Request, at now: Date) -> Result<Fields, Refusal> {
    let type = request.header("Content-Type")?.split(separator: ";").first.map(String.init)
    let form = Fields(String(decoding: request.body, as: UTF8.self))
    guard type == "application/x-www-form-urlencoded", !form.hasRepetition else {
      return .failure(Refusal("invalid_request"))
    }
    guard isAuthenticated(form, request.header("Authorization"), at: now) else { return .failure(.invalidClient) }
    return .success(form)
  }

  private mutating func isAuthenticated(_ form: Fields, _ authorization: String?, at now: Date) -> Bool {
    let isNamed = authorization == nil && form["client_id"] == options.clientID
    if let assertion = form["client_assertion"] {
      return isNamed && form["client_secret"] == nil && proves(assertion, form, at: now)
    }
    // The grant itself may be proof enough (RFC 7523 §2.1).
    if isNamed, form["client_secret"] == nil, form["grant_type"] == Grant.assertion.rawValue { return true }
    if !options.clientKeys.isEmpty { return false }
    guard let secret = options.clientSecret else { return isNamed && form["client_secret"] == nil }
    switch options.clientAuthentication {
    case .post: return isNamed && form["client_secret"] == secret
    case .basic:
      guard let authorization, authorization.hasPrefix("Basic "), form["client_secret"] == nil,
        let pair = Data(base64Encoded: String(authorization.dropFirst(6)))
      else { return false }
      let sides = String(decoding: pair, as: UTF8.self).split(separator: ":", maxSplits: 1).map { Fields.decode($0) }
      return sides == [options.clientID, secret]
    }
  }

  /// RFC 7523 §3: the client's own assertion, or a token of the platform whose workload the client is.
  private mutating func proves(_ text: String, _ form: Fields, at now: Date) -> Bool {
    guard form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" else {
      return false
    }
    if isOfWorkload(text, at: now) { return true }
    guard let assertion = SignedAssertion(text, signedBy: options.clientKeys),
      assertion.type == "client-authentication+jwt", let id = assertion.claims.jti, let issuedAt = assertion.claims.iat
    else { return false }
    let (claims, time) = (assertion.claims, now.timeIntervalSince1970)
    let audience = options.wantsTokenEndpointAsAudience ? url(of: .token) : identifier
    guard claims.iss == options.clientID, claims.sub == options.clientID, claims.aud == audience, claims.exp > time,
      issuedAt <= time + 60, claims.exp - issuedAt <= 60
    else { return false }
    return proofIDs.insert(id).inserted
  }

  /// Whether it is a token that the trusted platform gave to the workload for this issuer.
  func isOfWorkload(_ text: String, at now: Date) -> Bool {
    guard let workload = options.workload, let claims = SignedAssertion(text, signedBy: [workload.key])?.claims else {
      return false
    }
    return claims.iss == workload.issuer && claims.sub == workload.subject && claims.aud == identifier
      && claims.exp > now.timeIntervalSince1970
  }
}

/// An error of RFC 6749 §5.2.
struct Refusal: Error {
  let code: String
  var status = 400
  var headers: [String: String] = [:]

  init(_ code: String, status: Int = 400, headers: [String: String] = [:]) {
    self.code = code
    self.status = status
    self.headers = headers
  }

  static let invalidClient = Refusal(
    "invalid_client", status: 401, headers: ["WWW-Authenticate": "Basic realm=\"loopback\""])
  static let invalidGrant = Refusal("invalid_grant")
}

extension Answer {
  /// The words in the body are a canary: no client may show or log them.
  static func refusal(_ refusal: Refusal) -> Answer {
    var answer = Answer.json(
      JSON.object(["error": .string(refusal.code), "error_description": "canary words of the issuer"]).text,
      status: refusal.status)
    answer.headers.merge(refusal.headers) { $1 }
    return answer
  }
}
#endif
