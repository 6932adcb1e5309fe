import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a vendor's refusals mean, as data, where the standard (RFC 6749 §5.2) says less or something else. Of a refusal
/// only the code is kept.
struct VendorRefusals: Sendable {
  /// A code, how its description begins if that tells it from others of the same code, and what it means.
  typealias Row = (code: String, words: String?, meaning: AuthenticationError)

  private let rows: [Row]

  /// - Parameter rows: the first that fits counts.
  init(_ rows: [Row] = []) { self.rows = rows }

  /// The meaning of a refusal; nil if the table has none. A server that is overloaded or has failed ends no session,
  /// whatever its body says.
  func meaning(of response: HTTPResponse, now: Date) -> AuthenticationError? {
    guard (400...499).contains(response.status), !response.isFromOtherOrigin, let body = try? JSONMembers(response),
      let code = body["error"] ?? body["code"]
    else { return nil }
    let words = body["error_description"] ?? body["description"] ?? body["message"] ?? ""
    guard var error = meaning(of: code, words), response.status != 429 || error.code.disposition != .endsSession else {
      return nil
    }
    error.retryAfter = response.retryAfter(now: now)
    return error
  }

  /// The meaning of a code; nil if the table has none.
  func meaning(of code: String, _ words: String = "") -> AuthenticationError? {
    guard let row = rows.first(where: { $0.code == code && $0.words.map(words.hasPrefix) ?? true }) else { return nil }
    var error = row.meaning
    error.providerCode = VendorErrorMapper.sanitized(code)
    return error
  }

  /// These rows before those of another table.
  static func + (rows: Self, others: Self) -> Self { Self(rows.rows + others.rows) }
}
