import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Classifies an issuer's responses outside 2xx (RFC 6749 §5.2). Only the error code is read; messages are never shown
/// or logged.
enum OAuthErrorResponseMapper {
  private struct Wire: Decodable {
    let error: String
  }

  /// - Parameter refusal: the meaning of `invalid_grant` for this call.
  static func map(
    _ response: HTTPResponse, refusal: AuthenticationError = .invalidCredentials, now: Date
  ) -> AuthenticationError {
    let code = code(of: response)
    var error: AuthenticationError
    switch response.status {
    case 300...399: error = .redirected(response.status)
    case 429: error = .tooManyRequests
    case 500...599 where response.status != 501: error = .issuerFailed(response.status)
    // 403 is used by Auth0 for `invalid_grant` and by glewlwyd for `invalid_code`.
    case 400, 401, 403: error = code.flatMap { known($0, refusal) } ?? .unexpected(response.status)
    case 404, 405, 501: error = .noEndpoint(response.status)
    default: error = .unexpected(response.status)
    }
    error.providerCode = code
    error.retryAfter = response.retryAfter(now: now)
    return error
  }

  /// The meaning of a code by itself, whichever endpoint sent it (RFC 6749 §4.1.2.1, §5.2; OpenID Connect Core
  /// §3.1.2.6).
  static func map(code: String, refusal: AuthenticationError = .invalidCredentials) -> AuthenticationError {
    var error = known(code, refusal) ?? .unknownCode
    error.providerCode = VendorErrorMapper.sanitized(code)
    return error
  }

  /// The code of an error response; nil if it has none.
  static func code(of response: HTTPResponse) -> String? {
    guard !response.isSuccess, response.isJSON, !response.isFromOtherOrigin else { return nil }
    return (try? BoundedJSON.decode(Wire.self, from: response.body)).flatMap { VendorErrorMapper.sanitized($0.error) }
  }

  private static func known(_ code: String, _ refusal: AuthenticationError) -> AuthenticationError? {
    // A refresh differs from one that worked in its refresh token alone: the client need not be at fault.
    if refusal.code == .sessionRejected, ["invalid_client", "invalid_request"].contains(code) {
      return .refreshRefused
    }
    return switch code {
    case "invalid_grant", "invalid_code": refusal
    case "invalid_client", "unauthorized_client": .clientUnknown
    case "invalid_request", "invalid_scope", "invalid_target", "unsupported_grant_type", "unsupported_response_type",
      "invalid_request_object", "invalid_request_uri", "request_not_supported", "request_uri_not_supported",
      "invalid_dpop_proof", "use_dpop_nonce":
      .requestRefused
    case "access_denied": .declined
    case "expired_token": .deviceCodeExpired
    case "slow_down": .tooManyRequests
    case "temporarily_unavailable", "server_error": .issuerFailed(nil)
    case "login_required", "interaction_required", "consent_required", "account_selection_required",
      "unmet_authentication_requirements":
      refusal.code == .sessionRejected ? .interactionNeededToRefresh : .interactionNeeded
    default: nil
    }
  }
}
