import AuthenticationData
import AuthenticationDomain

/// Requests below `/auth/v1`, with the headers that all of them have.
struct SupabaseClient: Sendable {
  let project: SupabaseProject
  let service: ServiceURL
  let http: any HTTPClient
  let clock: any AuthenticationClock

  /// - Parameters:
  ///   - token: whose session it is about; nil for the project's own key.
  ///   - errors: what the codes of a refusal mean here.
  func send(
    _ method: HTTPMethod, _ path: String, query: KeyValuePairs<String, String> = [:], as token: Secret? = nil,
    _ body: [String: JSONValue]? = nil, errors: SupabaseErrors = .attempt
  ) async throws(AuthenticationError) -> HTTPResponse {
    let bearer = token?.reveal() ?? project.anonKey
    var request = try service.request(
      method, "auth/v1/\(path)", query: query,
      headers: [
        "apikey": project.anonKey, "Authorization": "Bearer \(bearer)", "X-Supabase-Api-Version": "2024-01-01",
      ], body)
    if path == "reauthenticate" { request.isIdempotent = false }
    let response = try await http.send(request)
    guard response.isSuccess else { throw SupabaseErrorResponseMapper.map(response, errors, now: clock.now) }
    return response
  }

  /// A call whose answer is a session.
  func session(
    _ path: String, query: KeyValuePairs<String, String> = [:], as token: Secret? = nil, _ body: [String: JSONValue],
    isNew: Bool = false, errors: SupabaseErrors = .attempt
  ) async throws(AuthenticationError) -> SupabaseSession {
    let response = try await send(.post, path, query: query, as: token, body, errors: errors)
    return try SupabaseSessionResponseMapper.map(response, isNew: isNew, receivedAt: clock.now)
  }

  /// What a captcha gave, for the calls that a project may protect with one.
  static func protected(_ body: [String: JSONValue]) -> [String: JSONValue] {
    guard let token = SignInAttributes.current["captcha_token"] else { return body }
    return body.merging(["gotrue_meta_security": ["captcha_token": .string(token.reveal())]]) { $1 }
  }
}
