import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Maps a response outside 2xx, in any of the shapes that versions of the server and its gateway write. No text of it
/// is kept but the code.
enum SupabaseErrorResponseMapper {
  static func map(_ response: HTTPResponse, _ errors: SupabaseErrors, now: Date) -> AuthenticationError {
    let body = response.isJSON ? JSONMembers(json: response.body) : nil
    let code = code(body, response)
    if code == nil, response.status == 401, body?["message"] != nil { return .clientRejected }
    var error = VendorErrorMapper.map(code, in: errors.table, response, now: now)
    if error.code == .rateLimited { error.retryAfter = error.retryAfter ?? body.flatMap(wait) }
    if error.code == .weakPassword, let reasons = body?.members("weak_password")?.texts("reasons") {
      error.passwordRules = reasons.compactMap(VendorErrorMapper.sanitized)
    }
    return error
  }

  /// `code` is a number in the older shape.
  private static func code(_ body: JSONMembers?, _ response: HTTPResponse) -> String? {
    body?["error_code"] ?? body?["code"] ?? response.headers["x-sb-error-code"] ?? body?["error"]
  }

  /// "… after 42 seconds." Only the number is read.
  private static func wait(_ body: JSONMembers) -> Duration? {
    let words = (body["message"] ?? body["msg"] ?? "").split(separator: " ")
    guard let after = words.lastIndex(of: "after"), after + 2 < words.count, words[after + 2].hasPrefix("second"),
      let seconds = Int(words[after + 1]), (0...86_400).contains(seconds)
    else { return nil }
    return .seconds(seconds)
  }
}
