import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData

// origin A3
@Suite struct APITokenResponseMapperTests {
  let date = Date(timeIntervalSince1970: 1_767_225_600)

  func map(_ body: String, type: String? = "application/json") throws(AuthenticationError) -> SessionTokens {
    try APITokenResponseMapper.map(json(200, body, type: type), receivedAt: date)
  }

  func expectRefused(_ body: String, type: String? = "application/json") {
    expectSilence(#expect(throws: AuthenticationError.self) { try map(body, type: type) })
  }

  func expectSilence(_ error: AuthenticationError?) {
    #expect(error == .unexpectedResponse)
    for text in error.map(texts) ?? [] { #expect(!text.contains("canary")) }
  }

  @Test func `every field is mapped`() throws {
    let tokens = try map(#"{"accessToken":"a","idToken":"i","refreshToken":"r","expiresIn":60,"more":[{}]}"#)
    #expect(tokens.access.value == Secret("a"))
    #expect(tokens.access.type == "Bearer")
    #expect(tokens.access.receivedAt == date)
    #expect(tokens.access.lifetime == .seconds(60))
    #expect(tokens.refresh == Secret("r"))
    #expect(tokens.identity == Secret("i"))
  }

  // failure row 26
  @Test(
    arguments: [
      ("Thu, 01 Jan 2026 00:10:00 GMT", 600), ("Wed, 31 Dec 2025 23:00:00 GMT", -3_600), ("yesterday", nil), (nil, nil),
    ] as [(String?, Int?)])
  func `how far the server's clock is ahead is kept with the token`(header: String?, seconds: Int?) throws {
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    headers["Date"] = header
    let response = HTTPResponse(status: 200, headers: headers, body: Data(#"{"accessToken":"a"}"#.utf8))
    let tokens = try APITokenResponseMapper.map(response, receivedAt: date)
    #expect(tokens.access.clockOffset == seconds.map { .seconds($0) })
  }

  // failure row 23
  @Test(arguments: [
    #"{"accessToken":"a"}"#, #"{"accessToken":"a","refreshToken":null,"idToken":null,"expiresIn":null}"#,
    #"{"accessToken":"a","refreshToken":""}"#,
  ])
  func `a member that is absent, null or empty is unknown`(body: String) throws {
    #expect(try map(body) == SessionTokens(access: AccessToken(Secret("a"), receivedAt: date)))
    try APITokenResponseMapper.checkLifetime(json(200, body))
  }

  // failure row 24
  @Test(arguments: [
    ("3600", 3_600), (#""3600""#, 3_600), ("1", 1), ("1.9", 1), (#""60.5""#, 60), ("315360000", 315_360_000),
    ("6e1", 60),
  ])
  func `a plausible lifetime is kept in whole seconds`(text: String, seconds: Int) throws {
    let body = #"{"accessToken":"a","expiresIn":\#(text)}"#
    #expect(try map(body).access.lifetime == .seconds(seconds))
    try APITokenResponseMapper.checkLifetime(json(200, body))
  }

  // failure row 24
  @Test(arguments: [
    "0", "-1", "0.5", "-3600", "1e308", "-1e308", "315360001", "9223372036854775808", #""0""#, #""-1""#,
    #""1e308""#,
    #""canary""#, #""""#, #"" 60""#, #""60s""#, #""nan""#, #""NaN""#, #""inf""#, #""-infinity""#, "true", "[]", "[60]",
    "{}",
    #"{"seconds":60}"#,
  ])
  func `an absurd lifetime is refused at a sign-in, and unknown in tokens that are kept`(text: String) throws {
    let body = #"{"accessToken":"canary","refreshToken":"r","expiresIn":\#(text)}"#
    expectSilence(
      #expect(throws: AuthenticationError.self) { try APITokenResponseMapper.checkLifetime(json(200, body)) })
    let tokens = try map(body)
    #expect(tokens.refresh == Secret("r"))
    #expect(tokens.access.lifetime == nil)
  }

  // failure row 18
  @Test(arguments: [
    "", " ", "null", "true", "1", #""canary""#, "[]", #"[{"accessToken":"canary"}]"#, "{}", "{canary", "canary",
    "<html><body>canary</body></html>", #"{"refreshToken":"canary"}"#, #"{"accessToken":null}"#, #"{"accessToken":7}"#,
    #"{"accessToken":["canary"]}"#, #"{"accessToken":{"canary":1}}"#, #"{"accessToken":""}"#,
    #"{"AccessToken":"canary"}"#,
    #"{"access_token":"canary"}"#, #"{"accessToken":"canary\r\nX-Injected: 1"}"#,
    #"{"accessToken":"canary canary"}"#, #"{"accessToken":"canaryä"}"#, #"{"accessToken":"canary\u0000"}"#,
    #"{"accessToken":"canary"}{"accessToken":"canary"}"#, "{\"accessToken\":\"canary\u{0}\"}",
  ])
  func `anything but an object with a usable token is refused`(body: String) {
    expectRefused(body)
  }

  @Test func `an answer cut off anywhere is refused`() {
    let whole = Array(Wire.tokens.utf8)
    for count in 0..<whole.count { expectRefused(String(decoding: whole.prefix(count), as: UTF8.self)) }
  }

  @Test(arguments: ["[", #"{"a":"#]) func `an answer nested ten thousand deep is refused`(open: String) {
    let nest = String(repeating: open, count: 10_000)
    expectRefused(nest)
    expectRefused(#"{"accessToken":"canary","more":\#(nest)1"#)
  }

  @Test(arguments: [
    #""idToken":7"#, #""idToken":["i"]"#, #""refreshToken":{}"#, #""expiresIn":1e999"#, #""scope":["openid"]"#,
    #""more":\#(String(repeating: "[", count: 10_000))\#(String(repeating: "]", count: 10_000))"#,
    #""more":"\ud800""#,
  ]) func `a member that cannot be read counts as missing`(member: String) throws {
    let tokens = try map(#"{"accessToken":"a",\#(member)}"#)
    #expect(tokens == SessionTokens(access: try AccessToken(Secret("a"), receivedAt: date)))
  }

  @Test func `an answer of a megabyte is mapped`() throws {
    let token = String(repeating: "a", count: 1 << 20)
    #expect(try map(#"{"accessToken":"\#(token)"}"#).access.value == Secret(token))
  }

  @Test(arguments: [
    "application/json", "Application/JSON; charset=utf-8", "application/vnd.example+json", nil, "", "text/html",
    "text/plain", "application/octet-stream", ";",
  ])
  func `an object with a token is read, whatever its media type`(type: String?) throws {
    #expect(try map(#"{"accessToken":"a"}"#, type: type).access.value == Secret("a"))
  }
}
