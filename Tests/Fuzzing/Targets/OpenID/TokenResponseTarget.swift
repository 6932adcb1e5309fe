#if OpenID
import Foundation

@testable import AuthenticationData
@testable import AuthenticationDomain
@testable import AuthenticationOpenID

/// The body of a token endpoint's answer, of the app's own backend and of an issuer, as a success and as an error.
enum TokenResponseTarget {
  private static let now = Date(timeIntervalSince1970: 1_790_000_000)

  static func check(_ input: [UInt8]) throws {
    try checkTokens { () throws(AuthenticationError) in
      try APITokenResponseMapper.map(response(200, input), receivedAt: now)
    }
    do throws(AuthenticationError) {
      try APITokenResponseMapper.checkLifetime(response(200, input))
    } catch {
      try error.checkSilence()
    }
    try checkTokens { () throws(AuthenticationError) in
      try TokenResponseMapper.map(
        response(200, input), askedFor: ["openid"], boundTo: Secret("key"), receivedAt: now)
    }
    for status in [400, 401, 429, 503] { try checkError(response(status, input)) }
  }

  private static func response(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Data(body))
  }

  private static func checkTokens(_ map: () throws(AuthenticationError) -> SessionTokens) throws {
    let result = Result(catching: map)
    try Finding.unless(result == Result(catching: map), "the same answer is the same tokens")
    switch result {
    case .success(let tokens):
      try tokens.checkPlausibility()
      try tokens.checkCanBeStored()
    case .failure(let error):
      try error.checkSilence()
      try Finding.unless(
        error == .unexpectedResponse || error.reason == .tokenType, "an answer that is none ends no session")
    }
  }

  private static func checkError(_ response: HTTPResponse) throws {
    let issuer = OAuthErrorResponseMapper.map(response, refusal: .sessionRejected, now: now)
    let backend = APIErrorResponseMapper.map(response, now: now)
    for error in [issuer, backend, APIErrorResponseMapper.signInRefusal(response)].compactMap(\.self) {
      try error.checkSilence()
    }
    let code = issuer.providerCode
    try Finding.unless(
      code.map { (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } } ?? true,
      "a provider's code is a short word")
    let isOver = issuer == .sessionRejected || APIErrorResponseMapper.saysInvalidGrant(response)
    try Finding.unless(
      !isOver || (response.status < 429 && (code == "invalid_grant" || code == "invalid_code")),
      "only a well-formed refusal ends a session")
  }
}
#endif
