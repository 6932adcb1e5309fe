package import AuthenticationDomain
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Classifies a vendor's error by its code; a vendor's text is never shown, logged or kept.
package enum VendorErrorMapper {
  /// - Parameters:
  ///   - code: the vendor's code, if the response has one.
  ///   - table: what each known code means for this call.
  /// - Returns: the meaning; for a code that is not in the table what the HTTP status says, which ends no session. A
  ///   server that fails (5xx) ends none either, whatever its code.
  package static func map(
    _ code: String?, in table: [String: AuthenticationError], _ response: HTTPResponse, now: Date
  ) -> AuthenticationError {
    let usual = APIErrorResponseMapper.map(response, now: now)
    var error = code.flatMap { table[$0] } ?? usual
    if response.status >= 500, error.code.disposition == .endsSession { error = usual }
    error.providerCode = code.flatMap(sanitized)
    // Also of a response without a code it is known that the server said this.
    error.cause = error.cause ?? AuthenticationError.Cause(domain: "HTTP", code: response.status)
    error.retryAfter = response.retryAfter(now: now)
    return error
  }

  /// Nil unless the text is a plain token, `^[A-Za-z0-9_.:-]{1,64}$`: it could be anything, such as a secret or a
  /// sentence.
  package static func sanitized(_ code: String) -> String? {
    (1...64).contains(code.utf8.count) && code.utf8.allSatisfy(tokenBytes.contains) ? code : nil
  }

  private static let tokenBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-".utf8)
}
