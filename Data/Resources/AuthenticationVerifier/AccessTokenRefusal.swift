public import AuthenticationData
import AuthenticationDomain

/// Why a request is refused, and the server's response (RFC 6750 §3, RFC 9449 §7.1).
///
/// ```swift
/// import AuthenticationVerifier
///
/// func fields(of refusal: AccessTokenRefusal) -> [(name: String, value: String)] {
///   refusal.headers.fields.map { ($0.name, $0.value.reveal()) }
/// }
/// ```
public struct AccessTokenRefusal: Error, Sendable, CustomStringConvertible {
  /// The fault.
  public enum Reason: Sendable, Hashable {
    /// There is no access token: 401 with challenges that name no error.
    case noCredentials
    /// The header is malformed or repeated: 400 `invalid_request`.
    case invalidRequest
    /// The token is malformed, expired, revoked, forged, or for another resource: 401 `invalid_token`.
    case invalidToken
    /// The token lacks a scope: 403 `insufficient_scope` with those that are required.
    case insufficientScope
    /// The proof of possession is missing, wrong, or was used before: 401 `invalid_dpop_proof`.
    case invalidProof
    /// The proof needs the nonce of the response's `DPoP-Nonce`: 401 `use_dpop_nonce`.
    case nonceRequired
    /// Whether the token is valid is unknown: the issuer or the replay store failed. 503, without a challenge.
    case unavailable

    var status: Int {
      switch self {
      case .noCredentials, .invalidToken, .invalidProof, .nonceRequired: 401
      case .invalidRequest: 400
      case .insufficientScope: 403
      case .unavailable: 503
      }
    }

    /// `error` (RFC 6750 §3.1, RFC 9449 §7.1, §9).
    var code: String? {
      switch self {
      case .noCredentials, .unavailable: nil
      case .invalidRequest: "invalid_request"
      case .invalidToken: "invalid_token"
      case .insufficientScope: "insufficient_scope"
      case .invalidProof: "invalid_dpop_proof"
      case .nonceRequired: "use_dpop_nonce"
      }
    }
  }

  /// The fault.
  public let reason: Reason
  /// The status of the response.
  public let status: Int
  /// The fields of the response: `WWW-Authenticate`, and where needed `DPoP-Nonce` or `Retry-After`.
  public let headers: HTTPHeaders
  /// For the server's log, not for the client: which check failed. No text of the request is in it.
  public let description: String
}

/// A refusal before its response is made.
struct AccessTokenFault: Error {
  let reason: AccessTokenRefusal.Reason
  let message: String
  var nonce: String?
  var retryAfter: Duration?

  init(_ reason: AccessTokenRefusal.Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  /// The issuer could not be asked, or its documents cannot be used.
  init(unreachable error: AuthenticationError) {
    self.init(.unavailable, "The issuer could not be asked: \(error.message)")
    retryAfter = error.retryAfter
  }

  static func invalidToken(_ message: String) -> Self { Self(.invalidToken, message) }
}
