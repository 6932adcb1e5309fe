import AuthenticationData
import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// RFC 6749 §5.1. // failure rows 18, 23, 24
@Suite struct TokenResponseMapperTests {
  private let now = Date(timeIntervalSince1970: 1_767_225_600)
  private let key = Secret("key")

  private func map(_ response: HTTPResponse, key: Secret? = nil) throws(AuthenticationError) -> SessionTokens {
    try TokenResponseMapper.map(response, askedFor: ["openid", "notes"], boundTo: key, receivedAt: now)
  }

  private func refusal(_ response: HTTPResponse) -> AuthenticationError? {
    do throws(AuthenticationError) {
      _ = try map(response)
      return nil
    } catch {
      return error
    }
  }

  @Test func `everything that came is kept`() throws {
    let body = #"""
      {"access_token":"a","token_type":"Bearer","expires_in":300,"refresh_token":"r","scope":"openid  notes","id_token":"i","x":{}}
      """#
    #expect(
      try map(json(200, body))
        == SessionTokens(
          access: AccessToken(Secret("a"), receivedAt: now, lifetime: .seconds(300), scopes: ["openid", "notes"]),
          refresh: Secret("r"), identity: Secret("i")))
  }

  @Test func `omitted members stay unknown`() throws {
    let tokens = try map(json(200, #"{"access_token":"a","token_type":"Bearer"}"#))
    #expect(
      tokens == SessionTokens(access: try AccessToken(Secret("a"), receivedAt: now, scopes: ["openid", "notes"])))
    let empty = #"{"access_token":"a","token_type":"Bearer","refresh_token":"","id_token":"","expires_in":null}"#
    #expect(try map(json(200, empty)) == tokens)
  }

  @Test(arguments: [("openid", ["openid"]), ("", []), ("other openid", ["other", "openid"])])
  func `the granted scopes may be fewer than the requested ones or other ones, rule 18`(scope: String, scopes: [String])
    throws
  {
    let body = #"{"access_token":"a","token_type":"Bearer","scope":"\#(scope)"}"#
    #expect(try map(json(200, body)).access.scopes == scopes)
  }

  @Test(arguments: [
    ("Bearer", "Bearer"), ("bearer", "Bearer"), ("BEARER", "Bearer"), ("DPoP", "DPoP"), ("dpop", "DPoP"),
  ])
  func `a type compares without case, and is written as the header has it, rule 16`(name: String, type: String) throws {
    let tokens = try map(json(200, #"{"access_token":"a","token_type":"\#(name)"}"#))
    #expect(tokens.access.type == type)
    #expect(tokens.access.authorization == Secret("\(type) a"))
  }

  @Test(arguments: [#""mac""#, #""N_A""#, #""""#, #""Bearer ""#, "null", #""B\u0435arer""#])
  func `an unknown type makes the token unusable, rule 16`(type: String) {
    #expect(refusal(json(200, #"{"access_token":"a","token_type":\#(type)}"#))?.reason == .tokenType)
    #expect(refusal(json(200, #"{"access_token":"a"}"#))?.reason == .tokenType)
  }

  @Test(arguments: [("DPoP", true, true), ("Bearer", false, true), ("Bearer", true, false), ("DPoP", false, false)])
  func `a token is bound exactly where that was asked for, rule 35`(type: String, asked: Bool, isGood: Bool) throws {
    let tokens = try map(
      json(200, #"{"access_token":"a","token_type":"\#(type)"}"#), key: asked ? key : nil)
    #expect(tokens.proofKey == (asked ? key : nil))
    if isGood {
      try tokens.checkBinding()
    } else {
      let error = #expect(throws: AuthenticationError.self) { try tokens.checkBinding() }
      #expect(error?.reason == .tokenType)
    }
  }

  @Test(arguments: [
    ("1", 1), ("300", 300), ("\"300\"", 300), ("299.5", 299), ("\"299.5\"", 299), ("3.0e2", 300),
    ("315360000", 315_360_000), ("\"315360000\"", 315_360_000),
  ])
  func `a lifetime may be a number, or one in a string`(value: String, seconds: Int) throws {
    let tokens = try map(json(200, #"{"access_token":"a","token_type":"Bearer","expires_in":\#(value)}"#))
    #expect(tokens.access.lifetime == .seconds(seconds))
  }

  @Test(arguments: [
    "0", "-1", "0.5", "315360001", "1e308", "1e400", "-1e308", "true", "{}", "[300]", "\"\"", "\"-1\"", "\"1e3\"",
    "\"0x10\"",
    "\"inf\"", "\"nan\"", "\" 300\"", "\"soon\"", "\"٣٠٠\"", "\"1.2.3\"",
  ])
  func `an absurd lifetime is unknown, and does not drop the refresh token beside it`(value: String) throws {
    let tokens = try map(
      json(200, #"{"access_token":"a","token_type":"Bearer","refresh_token":"r","expires_in":\#(value)}"#))
    #expect(tokens.access.lifetime == nil)
    #expect(tokens.refresh == Secret("r"))
  }

  @Test(arguments: [
    json(200, ""), json(200, "{}"), json(200, "[]"), json(200, "null"), json(200, "\"canary\""),
    json(200, "<html>canary</html>", type: "text/html"),
    json(200, #"{"access_token":"canary","token_type":"Bearer""#),
    json(200, #"{"access_token":42,"token_type":"Bearer"}"#),
    json(200, #"{"access_token":"","token_type":"Bearer"}"#),
    json(200, #"{"access_token":"canary\r\nX: 1","token_type":"Bearer"}"#),
    json(200, #"{"access_token":"canary canary","token_type":"Bearer"}"#),
    json(200, "access_token=canary&token_type=Bearer", type: "application/x-www-form-urlencoded"),
    json(200, String(repeating: "{", count: 1 << 20)),
  ])
  func `anything else is no token, and is not quoted`(response: HTTPResponse) {
    let error = refusal(response)
    #expect(error == .unexpectedResponse)
    #expect(error.map { !texts(of: $0).contains("canary") } == true)
  }

  @Test(arguments: [
    #""refresh_token":42"#, #""id_token":0"#, #""id_token":["i"]"#, #""expires_in":{}"#, #""expires_in":1e999"#,
    #""scope":{}"#, #""scope":[]"#, #""scope":[7]"#, #""scope":null"#, #""more":"\udc00""#,
    #""more":\#(String(repeating: "[", count: 200))\#(String(repeating: "]", count: 200))"#,
  ]) func `a member that cannot be read counts as missing`(member: String) throws {
    let tokens = try map(json(200, #"{"access_token":"a","token_type":"Bearer",\#(member)}"#))
    #expect(
      tokens == SessionTokens(access: try AccessToken(Secret("a"), receivedAt: now, scopes: ["openid", "notes"])))
  }

  @Test(arguments: [#"["openid","email"]"#, #"["openid",7,"email",""]"#]) func `a list of texts is scopes`(list: String)
    throws
  {
    let tokens = try map(json(200, #"{"access_token":"a","token_type":"Bearer","scope":\#(list)}"#))
    #expect(tokens.access.scopes == ["openid", "email"])
  }

  @Test(arguments: ["text/html", "text/plain", nil]) func `an object with a token is read, whatever its media type`(
    type: String?
  ) throws {
    #expect(try map(json(200, #"{"access_token":"a","token_type":"Bearer"}"#, type: type)).access.value == Secret("a"))
  }

  @Test(arguments: ["", #","token_type":7"#, #","token_type":null"#]) func `a refresh goes on with the session's type`(
    member: String
  ) throws {
    let response = json(200, #"{"access_token":"a"\#(member)}"#)
    let tokens = try TokenResponseMapper.map(
      response, askedFor: [], boundTo: key, typeIfMissing: "DPoP", receivedAt: now)
    #expect(tokens.access.type == "DPoP")
    #expect(refusal(response)?.reason == .tokenType)
  }

  @Test func `an object without a usable token is not a lost response, and a page may be`() {
    #expect(refusal(json(200, "{}"))?.response == .unusable)
    #expect(refusal(json(200, #"{"access_token":"a b","token_type":"Bearer"}"#))?.response == .unusable)
    #expect(refusal(json(200, "<html>", type: "text/html"))?.response == nil)
  }

  @Test func `a response from another origin is no token response`() {
    var response = json(200, #"{"access_token":"a","token_type":"Bearer"}"#)
    response.isFromOtherOrigin = true
    #expect(refusal(response) == .unexpectedResponse)
  }

  @Test func `every way to cut an answer short is refused`() {
    let body = #"{"access_token":"a","token_type":"Bearer","expires_in":"300","refresh_token":"r","scope":"x"}"#
    for length in 0..<body.utf8.count {
      #expect(refusal(json(200, String(body.prefix(length)))) != nil)
    }
  }
}
