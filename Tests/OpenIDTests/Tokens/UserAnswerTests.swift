import AuthenticationData
import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// Responses of UserInfo, introspection and token exchange.
@Suite struct UserAnswerTests {
  private let now = Date(timeIntervalSince1970: 1_767_225_600)
  static let malformed = [
    json(200, ""), json(200, "[]"), json(200, "{}"), json(200, "canary", type: "text/html"), json(200, #"{"sub":"#),
    json(200, "eyJ.canary.x", type: "application/jwt"),
  ]

  @Test func `a redirected response from another origin tells of no user`() {
    var response = json(200, #"{"sub":"1","name":"Ada"}"#)
    response.isFromOtherOrigin = true
    let answer = response
    #expect(throws: AuthenticationError(.unexpectedResponse, "")) { try UserInfoResponseMapper.map(answer) }
  }

  @Test func `a user is told by subject, name and address`() throws {
    let info = try UserInfoResponseMapper.map(
      json(200, #"{"sub":"1","name":"Ada","preferred_username":"ada","email":"a@b","email_verified":"true","x":[]}"#))
    #expect(
      info
        == User(
          id: "1", name: "Ada", email: "a@b", isEmailVerified: true,
          claims: ["preferred_username": "ada", "x": .array([])]))
    #expect(
      try UserInfoResponseMapper.map(json(200, #"{"sub":"1","preferred_username":"ada","email_verified":false}"#))
        == User(id: "1", name: "ada", isEmailVerified: false, claims: ["preferred_username": "ada"]))
    #expect(
      try UserInfoResponseMapper.map(json(200, #"{"sub":"1"}"#))
        == User(id: "1"))
  }

  // OpenID Connect Core §5.1
  @Test(arguments: [
    (#""name":"A","preferred_username":"b","nickname":"c","given_name":"d","cognito:username":"e""#, "A"),
    (#""preferred_username":"b","nickname":"c","given_name":"d","cognito:username":"e""#, "b"),
    (#""nickname":"c","given_name":"d","cognito:username":"e""#, "c"),
    (#""given_name":"d","cognito:username":"e""#, "d"),
    (#""name":"","nickname":7,"cognito:username":"e""#, "e"), (#""cognito:username":"1""#, nil),
    (#""family_name":"f""#, nil),
  ])
  func `the shown name is the best that there is, in an ID token as at the endpoint`(
    claims: String, name: String?
  ) throws {
    let body = #"{"sub":"1",\#(claims)}"#
    #expect(try UserInfoResponseMapper.map(json(200, body)).name == name)
    #expect(try IDTokenClaims(JSONObject(Array(body.utf8))).user.name == name)
    #expect(JSONMembers(json: Data(body.utf8))?.user?.name == name)
  }

  @Test func `further details of a user are shown, if they are text`() throws {
    let body = #"{"sub":"1","phone_number":"+491701234567","picture":"https://a/b.png","locale":"de-DE"}"#
    #expect(
      try UserInfoResponseMapper.map(json(200, body))
        == User(
          id: "1", phoneNumber: "+491701234567",
          picture: "https://a/b.png", locale: "de-DE"))
    let strange = #"{"sub":"1","phone_number":7,"picture":{"url":"x"},"locale":["de"]}"#
    #expect(
      try UserInfoResponseMapper.map(json(200, strange))
        == User(id: "1"))
    let claims = try IDTokenClaims(JSONObject(Array(body.dropLast().utf8) + Array(#","email_verified":"true"}"#.utf8)))
    #expect(claims.user.phoneNumber == "+491701234567")
    #expect(claims.user.picture == "https://a/b.png")
    #expect(claims.user.locale == "de-DE")
    #expect(claims.user.isEmailVerified == true)
    #expect(try IDTokenClaims(JSONObject(Array(#"{"email_verified":1,"locale":[]}"#.utf8))).user.isEmailVerified == nil)
  }

  @Test(arguments: malformed + [json(200, #"{"sub":""}"#), json(200, #"{"sub":1}"#)])
  func `anything else names no user`(response: HTTPResponse) async {
    let error = await failure { try UserInfoResponseMapper.map(response) }
    #expect(error == .unexpectedResponse)
    #expect(error.map { !texts(of: $0).contains("canary") } == true)
  }

  @Test(arguments: ["ada ", "Ada", "", "ad\u{0061}\u{0300}", "grace"])
  func `a response about another user is refused, byte for byte, rule 26`(subject: String) async throws {
    try User.check("ada", is: "ada")
    #expect(await failure { try User.check("ada", is: subject) }?.reason == .subject)
  }

  @Test func `a token is told by whether it is active`() throws {
    let body = #"{"active":true,"scope":"a b","client_id":"app","sub":"1","username":"ada","exp":1767225900}"#
    #expect(
      try IntrospectionResponseMapper.map(json(200, body))
        == TokenIntrospection(
          isActive: true, scopes: ["a", "b"], clientID: "app", subject: "1", userName: "ada",
          expiresAt: now.addingTimeInterval(300)))
    #expect(
      try IntrospectionResponseMapper.map(json(200, #"{"active":false}"#))
        == TokenIntrospection(
          isActive: false, scopes: [], clientID: nil, subject: nil, userName: nil, expiresAt: nil))
  }

  @Test(arguments: malformed + [json(200, #"{"active":"true"}"#), json(200, #"{"active":null}"#)])
  func `anything else is no word about a token`(response: HTTPResponse) async {
    #expect(await failure { try IntrospectionResponseMapper.map(response) } == .unexpectedResponse)
  }

  // RFC 8693 §2.3
  @Test func `an exchange sends a form, and returns the token of the response`() throws {
    let plain = FormBody(
      exchanging: Secret("subject token"), type: .accessToken, for: nil, audiences: [], resources: [], scopes: [])
    #expect(
      plain.encoded == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange"
        + "&subject_token=subject+token&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token")
    let whole = FormBody(
      exchanging: Secret("subject token"), type: .accessToken, for: .jwt, audiences: ["one", "two"],
      resources: ["https://api.example.com"], scopes: ["a", "b"])
    #expect(
      whole.encoded.hasSuffix(
        "&requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Ajwt&audience=one&audience=two"
          + "&resource=https%3A%2F%2Fapi.example.com&scope=a+b"))
    let body = #"""
      {"access_token":"t","issued_token_type":"urn:ietf:params:oauth:token-type:jwt","token_type":"n_a","expires_in":60}
      """#
    #expect(
      try TokenExchangeResponseMapper.map(json(200, body), askedFor: ["a"], receivedAt: now)
        == ExchangedToken(
          token: AccessToken(Secret("t"), type: "N_A", receivedAt: now, lifetime: .seconds(60), scopes: ["a"]),
          issuedType: .jwt, refresh: nil))
  }

  @Test(arguments: [
    (#"{"access_token":"t","issued_token_type":"x","token_type":"mac"}"#, AuthenticationError.security),
    (#"{"access_token":"t","issued_token_type":"x","token_type":"DPoP"}"#, .security),
    (#"{"access_token":"t","token_type":"Bearer"}"#, .unexpectedResponse),
    (#"{"access_token":"","issued_token_type":"x","token_type":"Bearer"}"#, .unexpectedResponse),
  ])
  func `an exchanged token is of a known type, rule 16`(body: String, code: AuthenticationError) async {
    let error = await failure {
      try TokenExchangeResponseMapper.map(json(200, body), askedFor: [], receivedAt: now)
    }
    #expect(error == code)
  }
}
