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
  ///   - table: the meaning of each known code for this call.
  ///   - now: the time (UTC), for a `Retry-After` that is a date.
  /// - Returns: the meaning of the code; for a code that is not in the table the meaning of the status, which ends no
  ///   session. A server that fails (5xx) or asks for fewer requests ends none either, whatever its code.
  package static func map(
    _ response: HTTPResponse, code: String? = nil, in table: [String: AuthenticationError] = [:], now: Date
  ) -> AuthenticationError {
    let usual = meaning(of: response.status)
    var error = code.flatMap { table[$0] } ?? usual
    if error.disposition == .endsSession, !response.canRefuse { error = usual }
    error.providerCode = code.flatMap(response.plainToken)
    error.response = response.isRefusal(naming: code) ? .refused : nil
    // Also of a response without a code it is known that the server sent it.
    error.cause = error.cause ?? AuthenticationError.Cause(domain: "HTTP", code: response.status)
    error.retryAfter = response.retryAfter(now: now)
    return error
  }

  /// Returns the code if it is a plain token (`^[A-Za-z0-9_.:-]{1,64}$`), otherwise nil: it could be anything, such as
  /// a secret or a sentence. For a code of a response, ``HTTPResponse/plainToken(_:)``.
  package static func plainToken(_ code: String) -> String? { code.isPlainToken ? code : nil }

  /// The meaning of a status without a code.
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

  /// Whether the server refuses the request: it names a code, or the status says so and nothing else stands behind it,
  /// such as the page of a gateway or a path that does not exist.
  ///
  /// - Parameter code: the code of the body, if it has one.
  func isRefusal(naming code: String?) -> Bool {
    guard canRefuse, ![404, 405].contains(status), !isFromOtherOrigin else { return false }
    if code != nil || isSuccess { return code != nil }
    guard [400, 401, 403, 422].contains(status) else { return false }
    let text = String(decoding: body.prefix(64), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return text.isEmpty || json != nil || status == 401 && !text.hasPrefix("<")
  }
}

extension HTTPResponse {
  /// Returns a text of the response if it is a plain token and none that the request held: a server that repeats the
  /// request would have a password shown as its code.
  package func plainToken(_ text: String) -> String? { text.isPlainToken && !repeats(text) ? text : nil }

  /// Whether the request held this text or a word of it, in any form and in upper or lower case.
  func repeats(_ text: String) -> Bool {
    guard let request else { return false }
    let words: Set<Substring> = text.isPlainToken ? [text.lowercased()[...]] : text.lowercased().words
    return request.texts.contains { sent in
      [sent, sent.removingPercentEncoding ?? sent].contains { form in
        let held = form.lowercased()
        return held == text.lowercased() || held.words.contains(where: words.contains)
      }
    }
  }
}

extension HTTPRequest {
  /// The texts of the request, without the names of the body's members, which are no secrets, and codes of some
  /// backends.
  fileprivate var texts: [String] {
    let fields = headers.fields.map { $0.value.reveal() }
    let basic = fields.compactMap { Data(base64Encoded: String($0.trimmingPrefix("Basic "))) }
    let body = body ?? Data()
    let json = try? BoundedJSON.decode(JSONValue.self, from: body)
    let form = String(decoding: body, as: UTF8.self).split(separator: "&").map { String($0.drop { $0 != "=" }) }
    let raw = form.allSatisfy(\.isEmpty) ? [String(decoding: body, as: UTF8.self)] : form
    return fields + basic.map { String(decoding: $0, as: UTF8.self) } + [url.absoluteString] + (json?.texts ?? raw)
  }
}

extension String {
  /// Its parts that are plain tokens, and their parts around a colon.
  fileprivate var words: Set<Substring> {
    let tokens = split { !String($0).isPlainToken }
    return Set(tokens + tokens.flatMap { $0.split(separator: ":") })
  }
}

extension JSONValue {
  fileprivate var texts: [String] {
    switch self {
    case .object(let members): members.values.flatMap(\.texts)
    case .array(let elements): elements.flatMap(\.texts)
    case .string(let text): [text]
    case .number(let number): [text(at: "") ?? "\(number)"]
    default: []
    }
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
