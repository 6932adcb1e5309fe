import AuthenticationData
import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// The meaning of an issuer's refusal: status × code × body. // failure rows 18, 37
@Suite struct OAuthErrorResponseMapperTests {
  private let now = Date(timeIntervalSince1970: 1_767_225_600)

  private func map(_ response: HTTPResponse, _ refusal: AuthenticationError = .sessionRejected) -> AuthenticationError {
    OAuthErrorResponseMapper.map(response, refusal: refusal, now: now)
  }

  // RFC 6749 §5.2; 403 is Auth0's.
  @Test(arguments: [200, 201, 400, 401, 402, 403, 404, 405, 409, 418, 422])
  func `the call determines the error of a refused grant`(status: Int) {
    let response = json(status, #"{"error":"invalid_grant","error_description":"canary"}"#)
    #expect(map(response) == .sessionRejected)
    #expect(map(response, .codeRefused) == .invalidCredentials)
    #expect(map(response).providerCode == "invalid_grant")
    #expect(!texts(of: map(response)).contains("canary"))
  }

  @Test func `a code that was used is refused with 403 by some`() {
    let error = map(json(403, #"{"error":"invalid_code"}"#), .codeRefused)
    #expect(error == .invalidCredentials)
    #expect(error.providerCode == "invalid_code")
  }

  @Test(arguments: [302, 407, 408, 425, 429, 500, 502, 503, 504])
  func `a redirect, a limit and a failure end no session, whatever they say`(status: Int) {
    #expect(map(json(status, #"{"error":"invalid_grant"}"#)) != .sessionRejected)
  }

  @Test(
    arguments: [
      ("invalid_client", .clientRejected), ("unauthorized_client", .clientRejected), ("invalid_scope", .clientRejected),
      ("invalid_target", .clientRejected), ("unsupported_grant_type", .clientRejected),
      ("invalid_request", .clientRejected), ("invalid_dpop_proof", .clientRejected),
      ("use_dpop_nonce", .clientRejected), ("access_denied", .declined), ("expired_token", .signInExpired),
      ("slow_down", .rateLimited), ("temporarily_unavailable", .serverFailed), ("server_error", .serverFailed),
      ("login_required", .insufficientUserAuthentication), ("new_to_everybody", .unexpectedResponse),
      ("INVALID_GRANT", .unexpectedResponse), ("invalid_grant ", .unexpectedResponse),
    ] as [(String, AuthenticationError)], [400, 401])
  func `every other code keeps the session`(named: (String, AuthenticationError), status: Int) {
    let error = map(json(status, #"{"error":"\#(named.0)"}"#))
    #expect(error == named.1)
    #expect(error.providerCode == (named.0.contains(" ") ? nil : named.0))
  }

  @Test(arguments: [
    json(400, #"{"error":"invalid_grant""#), json(400, ""), json(400, "<p>invalid_grant</p>", type: "text/html"),
    json(400, #"["invalid_grant"]"#), json(400, "null"), json(400, #"{"error":null}"#), json(401, "{}"), json(403, ""),
    json(400, #"{"error":"\#(String(repeating: "invalid_grant", count: 100_000))"}"#),
  ])
  func `a response that is no well-formed error response is unexpected`(response: HTTPResponse) {
    let error = map(response)
    #expect(error == .unexpectedResponse)
    #expect(error.providerCode == nil)
  }

  @Test(arguments: ["text/html", "text/plain", nil]) func `a refusal is one whatever its media type`(type: String?) {
    #expect(map(json(400, #"{"error":"invalid_grant"}"#, type: type)) == .sessionRejected)
  }

  @Test(arguments: [
    #"{"error_code":"invalid_grant"}"#, #"{"code":"invalid_grant"}"#, #"{"error":{"code":"invalid_grant"}}"#,
  ]) func `a code in another member is told, and ends no session by itself`(body: String) {
    let error = map(json(400, body))
    #expect(error == .unexpectedResponse && error.response == .refused)
    #expect(error.providerCode == "invalid_grant")
  }

  @Test(
    arguments: [
      (400, "", true), (401, "Unauthorized", true), (403, "{}", true), (422, #"{"error":"x"}"#, true),
      (200, #"{"error":"x"}"#, true), (200, #"{"error_code":"x"}"#, true), (200, "{}", false),
      (403, "error code: 1020", false), (400, "Bad Request", false), (413, "", false), (403, "\u{FEFF}<html>", false),
      (403, " <html>", false), (404, "{}", false),
      (405, "", false), (407, "", false), (408, "", false), (421, "", false), (425, "", false), (429, "{}", false),
      (500, "{}", false), (503, "", false), (302, "{}", false),
    ]) func `a refusal is no outage, no limit and no page`(status: Int, body: String, isRefusal: Bool)
  {
    #expect((map(json(status, body)).response == .refused) == isRefusal)
  }

  @Test func `an error response from another origin is unexpected`() {
    var response = json(400, #"{"error":"invalid_grant"}"#)
    response.isFromOtherOrigin = true
    #expect(map(response) == .unexpectedResponse)
  }

  @Test(
    arguments: [
      (429, .rateLimited), (500, .serverFailed), (502, .serverFailed), (503, .serverFailed), (599, .serverFailed),
      (404, .endpointMissing), (405, .endpointMissing), (501, .endpointMissing), (400, .unexpectedResponse),
      (402, .unexpectedResponse), (418, .unexpectedResponse), (100, .unexpectedResponse), (600, .unexpectedResponse),
    ] as [(Int, AuthenticationError)], ["", "<html>canary</html>", #"{"error":"#])
  func `a status without a code determines the error`(named: (Int, AuthenticationError), body: String) {
    let error = map(json(named.0, body, type: "text/html"))
    #expect(error == named.1)
    #expect(!texts(of: error).contains("canary"))
  }

  @Test(arguments: [429, 503, 400]) func `how long to wait is kept`(status: Int) {
    #expect(map(json(status, "", ["Retry-After": "120"])).retryAfter == .seconds(120))
    #expect(map(json(status, "")).retryAfter == nil)
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func `a redirect says that it was not followed, rule 15`(status: Int) {
    let error = map(json(status, #"{"error":"invalid_grant"}"#, ["Location": "https://evil.example/canary"]))
    #expect(error == .unexpectedResponse)
    #expect(error.message.contains("redirect"))
    #expect(!texts(of: error).contains("canary"))
  }

  // RFC 6749 §5.2: %x20-21 / %x23-5B / %x5D-7E, and no code has a space.
  @Test(arguments: [
    ("a", true), ("urn:ietf:params:oauth:error", true), (String(repeating: "x", count: 64), true),
    (String(repeating: "x", count: 65), false), ("", false), ("a b", false), ("a\\\"b", false), ("a\\\\b", false),
    ("a\\nb", false), ("\\u001b[31m", false), ("ä", false), ("\\u0000", false),
  ])
  func `only a well-formed code is kept`(code: String, isKept: Bool) {
    let error = map(json(400, #"{"error":"\#(code)"}"#))
    #expect((error.providerCode != nil) == isKept)
    #expect(OAuthErrorResponseMapper.map(code: code).providerCode == (isKept ? code : nil))
  }
}
