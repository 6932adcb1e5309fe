package import AuthenticationDomain
package import Foundation

/// Maps responses outside 2xx to errors, for every provider: by the provider's code where its table has it, otherwise
/// by the HTTP status. No text of a response is shown, logged or kept.
package enum HTTPErrorMapper {
  /// Maps one response.
  ///
  /// - Parameters:
  ///   - response: outside 2xx, or a success that reports a failure inside.
  ///   - code: the provider's code, if the response has one.
  ///   - table: what each known code means for this call.
  ///   - now: the time (UTC), for a `Retry-After` that is a date.
  /// - Returns: the meaning of the code; for a code that is not in the table the meaning of the status, which ends no
  ///   session. A server that fails (5xx) or asks for fewer requests ends none either, whatever its code.
  package static func map(
    _ response: HTTPResponse, code: String? = nil, in table: [String: AuthenticationError] = [:], now: Date
  ) -> AuthenticationError {
    let usual = meaning(of: response.status)
    var error = code.flatMap { table[$0] } ?? usual
    if error.disposition == .endsSession, !response.canRefuse { error = usual }
    error.providerCode = code.flatMap(plainToken)
    error.response = response.isRefusal(naming: code) ? .refused : nil
    // Also of a response without a code it is known that the server sent it.
    error.cause = error.cause ?? AuthenticationError.Cause(domain: "HTTP", code: response.status)
    error.retryAfter = response.retryAfter(now: now)
    return error
  }

  /// Returns the code if it is a plain token (`^[A-Za-z0-9_.:-]{1,64}$`), otherwise nil: it could be anything, such as
  /// a secret or a sentence.
  package static func plainToken(_ code: String) -> String? { code.isPlainToken ? code : nil }

  /// What a status means without a code.
  package static func meaning(of status: Int) -> AuthenticationError {
    switch status {
    case 429: AuthenticationError(.rateLimited, "The provider asks for fewer requests (HTTP 429).")
    case 404, 405, 501:
      AuthenticationError(
        .endpointMissing, "The provider has no such endpoint (HTTP \(status)).",
        suggestion: "Check the URL and the paths where the provider is configured.")
    case 500...599:
      AuthenticationError(.serverFailed, "The provider failed (HTTP \(status)).", suggestion: "Try again later.")
    case 300...399:
      AuthenticationError(
        .unexpectedResponse, "The provider sent a redirect (HTTP \(status)), which is not followed.",
        suggestion: "Check the URL and the paths where the provider is configured.",
        cause: AuthenticationError.Cause(domain: "HTTP", code: status))
    default:
      AuthenticationError(
        .unexpectedResponse, "The provider responded with HTTP \(status), which this call does not expect.",
        suggestion: "Check the URL and the paths where the provider is configured.")
    }
  }
}

extension HTTPResponse {
  /// Whether the server itself may have refused the request: no redirect, no failure, no timeout and no limit.
  package var canRefuse: Bool {
    isSuccess || (400...499).contains(status) && ![407, 408, 421, 425, 429].contains(status)
  }

  /// Whether the server refuses the request, and is not a page of another server or a path that does not exist.
  ///
  /// - Parameter code: the code of the body, if it has one.
  package func isRefusal(naming code: String?) -> Bool {
    guard canRefuse, ![404, 405].contains(status), !isFromOtherOrigin else { return false }
    if isSuccess { return code != nil }
    return body.first { !" \t\r\n".utf8.contains($0) } != UInt8(ascii: "<")
  }
}

extension [String: AuthenticationError] {
  /// This table and these codes; a code that both list has the later meaning.
  package func adding(_ codes: KeyValuePairs<AuthenticationError, [String]>) -> Self {
    codes.reduce(into: self) { table, row in
      for code in row.value { table[code] = row.key }
    }
  }
}
