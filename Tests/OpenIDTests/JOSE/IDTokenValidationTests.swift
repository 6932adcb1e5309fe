import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// OpenID Connect Core §3.1.3.7, rule by rule. // rules 19, 20, 23, 24
@Suite struct IDTokenValidationTests {
  let forge = TokenForge()
  static let now = 1_790_000_000

  func refusal(
    _ changes: [String: String?], _ change: (inout IDTokenExpectations) -> Void = { _ in }
  ) throws -> FailureReason? {
    try forge.refusal(of: forge.token(changes), change)
  }

  @Test func `a token with the required claims is accepted`() throws {
    #expect(try refusal([:]) == nil)
  }

  @Test(arguments: [
    nil, "\"https://id.example.com/\"", "\"HTTPS://id.example.com\"", "\"https://id.example.co\"", "\"\"", "null",
  ])
  func `the issuer must be exactly the one that was asked`(issuer: String?) throws {  // rule 19
    #expect(try refusal(["iss": issuer]) == .issuer)
  }

  @Test(arguments: [nil, "\"other\"", "[]", "\"\"", "\"APP\"", "[\"other\"]", "[\"other\",\"api\"]", "null"])
  func `a token that is not for this client is refused`(audience: String?) throws {  // rule 19
    #expect(try refusal(["aud": audience, "azp": "\"app\""]) { $0.trustedAudiences = ["other", "api"] } == .audience)
  }

  // rule 19
  @Test func `claims that look the same and are spelled differently are not the same`() throws {
    func kelvin(_ expectations: inout IDTokenExpectations) {
      expectations.issuer = "https://id.example.com/K"
      expectations.clientID = "K123"
      expectations.trustedAudiences = ["K"]
      expectations.nonce = "K"
      expectations.essentialContexts = ["K"]
    }
    let good: [String: String?] = [
      "iss": #""https://id.example.com/K""#, "aud": #"["K123","K"]"#, "azp": #""K123""#, "nonce": #""K""#,
      "acr": #""K""#,
    ]
    #expect("\u{212A}" == "K", "Swift's own comparison is of another kind.")
    #expect(try refusal(good, kelvin) == nil)
    for (claim, value, check) in [
      ("iss", #""https://id.example.com/\u212A""#, .issuer), ("aud", #"["\u212A123","K"]"#, .audience),
      ("aud", #"["K123","\u212A"]"#, .audience), ("azp", #""\u212A123""#, .audience), ("nonce", #""\u212A""#, .nonce),
      ("acr", #""\u212A""#, .authentication),
    ] as [(String, String, FailureReason)] {
      #expect(try refusal(good.merging([claim: value]) { $1 }, kelvin) == check, "\(claim)")
    }
    #expect(try refusal(["aud": #""\u212A123""#]) { $0.clientID = "K123" } == .audience)
  }

  @Test func `an audience that is not trusted is refused`() throws {  // rule 19
    let both = ["aud": #"["app","api"]"#, "azp": #""app""#]
    #expect(try refusal(both) == .audience)
    #expect(try refusal(both) { $0.trustedAudiences = ["api"] } == nil)
    #expect(try refusal(both) { $0.acceptsFurtherAudiences = true } == nil)
    for azp in [nil, #""api""#] {
      let other: [String: String?] = ["aud": #"["app","api"]"#, "azp": azp]
      #expect(try refusal(other) { $0.acceptsFurtherAudiences = true } == .audience)
    }
    #expect(try refusal(["aud": #"["app"]"#]) == nil)
    #expect(try refusal(["aud": #"["app",1]"#]) == .idToken)
    #expect(try refusal(["aud": #"{"app":1}"#]) == .idToken)
  }

  @Test func `several audiences need an authorized party, which is this client`() throws {  // rule 20
    let audiences = #"["app","api"]"#
    func trusting(_ expectations: inout IDTokenExpectations) { expectations.trustedAudiences = ["api"] }
    #expect(try refusal(["aud": audiences], trusting) == .audience)
    #expect(try refusal(["aud": audiences, "azp": #""api""#], trusting) == .audience)
    #expect(try refusal(["aud": audiences, "azp": #""app""#], trusting) == nil)
    #expect(try refusal(["azp": #""app""#]) == nil)
    #expect(try refusal(["azp": #""other""#]) == .audience)
    #expect(try refusal(["azp": #"["app"]"#]) == .idToken)
  }

  @Test(arguments: [nil, "\"\"", "null", "\"é\"", "\"\(String(repeating: "x", count: 256))\""])
  func `a subject has 1 to 255 ASCII characters`(subject: String?) throws {  // rule 23
    #expect(try refusal(["sub": subject]) == .subject)
  }

  @Test func `a subject of 255 characters is good, and one that is a number is not`() throws {  // rule 23
    #expect(try refusal(["sub": "\"\(String(repeating: "x", count: 255))\""]) == nil)
    #expect(try refusal(["sub": "7"]) == .idToken)
  }

  @Test func `a token counts until it expires, and no longer than the tolerance after`() throws {  // rule 23
    #expect(try refusal(["exp": "\(Self.now - 59)"]) == nil)
    #expect(try refusal(["exp": "\(Self.now - 60)"]) == .lifetime)
    #expect(try refusal(["exp": "\(Self.now + 1)"]) { $0.tolerance = .zero } == nil)
    #expect(try refusal(["exp": "\(Self.now)"]) { $0.tolerance = .zero } == .lifetime)
    #expect(try refusal(["exp": "-1"]) == .lifetime)
    #expect(try refusal(["exp": "253402300799"]) == nil)
    #expect(try refusal(["exp": nil]) == .idToken)
    #expect(try refusal(["exp": "true"]) == .idToken)
    #expect(try refusal(["exp": "\"soon\""]) == .idToken)
  }

  @Test(arguments: ["exp", "iat", "nbf", "auth_time"])
  func `a time is a number, up to the year 9999 (RFC 7519 §2)`(claim: String) throws {
    for value in ["\"\(Self.now)\"", "1e308", "253402300800", "-1e308", "{}", "[\(Self.now)]"] {
      #expect(try refusal([claim: value]) == .idToken, "\(value)")
    }
    #expect(try refusal([claim: claim == "exp" ? "\(Self.now).5" : "\(Self.now - 1).5"]) == nil)
  }

  @Test func `a token is not from the future, the tolerance aside`() throws {  // rule 23
    #expect(try refusal(["iat": "\(Self.now + 60)"]) == nil)
    #expect(try refusal(["iat": "\(Self.now + 61)"]) == .lifetime)
    #expect(try refusal(["iat": nil]) == .idToken)
    #expect(try refusal(["iat": "{}"]) == .idToken)
    #expect(try refusal(["nbf": "\(Self.now + 60)"]) == nil)
    #expect(try refusal(["nbf": "\(Self.now + 61)"]) == .lifetime)
  }

  @Test func `times may have fractions`() throws {
    let times = [
      "exp": "\(Self.now + 300)", "iat": "\(Self.now - 10).25", "auth_time": "\(Self.now - 100).5", "nbf": "1",
    ]
    #expect(try refusal(times) { $0.requirements = .init(maxAge: .seconds(100)) } == nil)
    let token = try UnverifiedIDToken(Secret(forge.token(times)))
      .validated(by: forge.keys, expecting: forge.expectations)
    #expect(token.authenticatedAt?.timeIntervalSince1970 == Double(Self.now) - 99.5)
    #expect(token.claims.issuedAt?.timeIntervalSince1970 == Double(Self.now) - 9.75)
  }

  @Test func `the nonce is the one that was sent`() throws {  // rule 23
    func sent(_ expectations: inout IDTokenExpectations) { expectations.nonce = "n" }
    #expect(try refusal(["nonce": #""n""#], sent) == nil)
    #expect(try refusal(["nonce": #""N""#], sent) == .nonce)
    #expect(try refusal(["nonce": #""""#], sent) == .nonce)
    #expect(try refusal(["nonce": "null"], sent) == .nonce)
    #expect(try refusal([:], sent) == .nonce)
    #expect(try refusal(["nonce": #""whatever""#]) == nil)
  }

  @Test func `a required maximum age of the sign-in is checked`() throws {  // rule 23
    func asked(_ expectations: inout IDTokenExpectations) { expectations.requirements = .init(maxAge: .seconds(300)) }
    #expect(try refusal(["auth_time": "\(Self.now - 360)"], asked) == nil)
    #expect(try refusal(["auth_time": "\(Self.now - 361)"], asked) == .authentication)
    #expect(try refusal(["auth_time": "\(Self.now + 60)"], asked) == nil)
    #expect(try refusal(["auth_time": "\(Self.now + 61)"], asked) == .authentication)
    #expect(try refusal([:], asked) == .authentication)
    #expect(try refusal(["auth_time": "null"], asked) == .authentication)
    #expect(try refusal(["auth_time": "\"yesterday\""], asked) == .idToken)
    #expect(try refusal(["auth_time": "1"]) == nil)
  }

  @Test func `a required authentication context of the sign-in is checked`() throws {  // rule 23
    func asked(_ expectations: inout IDTokenExpectations) { expectations.essentialContexts = ["a", "b"] }
    #expect(try refusal(["acr": #""a""#], asked) == nil)
    #expect(try refusal(["acr": #""b""#], asked) == nil)
    #expect(try refusal(["acr": #""c""#], asked) == .authentication)
    #expect(try refusal(["acr": #""a b""#], asked) == .authentication)
    #expect(try refusal([:], asked) == .authentication)
    #expect(try refusal(["acr": #""c""#]) == nil)
    #expect(try refusal(["acr": #""c""#]) { $0.essentialContexts = [] } == nil)
    #expect(try refusal([:]) { $0.essentialContexts = [] } == .authentication)
  }

  /// OpenID Connect Core §3.1.2.1.
  @Test(arguments: [nil, #""c""#, #""a b""#])
  func `acr_values asks for a voluntary claim, which refuses no sign-in`(context: String?) throws {
    #expect(try refusal(["acr": context]) { $0.requirements = .init(acrValues: ["a", "b"]) } == nil)
  }

  @Test(
    arguments: [
      (#"{"id_token":{"acr":{"essential":true,"values":["a","b"]}}}"#, ["a", "b"]),
      (#"{"id_token":{"acr":{"essential":true,"value":"a"}}}"#, ["a"]),
      (#"{"id_token":{"acr":{"essential":true}}}"#, []), (#"{"id_token":{"acr":{"values":["a"]}}}"#, nil),
      (#"{"id_token":{"acr":null}}"#, nil), (#"{"userinfo":{"acr":{"essential":true,"value":"a"}}}"#, nil),
      ("not JSON", nil), (nil, nil),
    ] as [(String?, [String]?)])
  func `acr is required where the parameter claims asks for it as an essential claim`(
    claims: String?, contexts: [String]?
  ) {
    var client = OpenIDClient(issuer: "https://id.example.com", clientID: "app")
    client.parameters["claims"] = claims
    #expect(client.essentialContexts == contexts)
  }

  @Test func `a token hash is that of the token that came along`() throws {  // rule 24
    let hash = SignatureAlgorithm.Hash.sha256.leftHalf(of: "token")
    for (claim, set) in [
      ("at_hash", { $0.accessToken = Secret("token") }), ("c_hash", { $0.code = Secret("token") }),
    ] as [(String, (inout IDTokenExpectations) -> Void)] {
      #expect(try refusal([claim: "\"\(hash)\""], set) == nil)
      #expect(try refusal([claim: "\"\(hash.dropLast())A\""], set) == .tokenHash)
      #expect(try refusal([claim: "\"\(Base64URL.sha256(of: "token"))\""], set) == .tokenHash)
      #expect(try refusal([claim: #""""#], set) == .tokenHash)
      #expect(try refusal([:], set) == nil)
      #expect(try refusal([claim: "1"], set) == .idToken)
      #expect(try refusal([claim: "\"x\""]) == nil)
    }
  }

  @Test func `a claim that is only shown to users may be missing or odd`() throws {
    func named(_ changes: [String: String?]) throws -> IDToken {
      try UnverifiedIDToken(Secret(forge.token(changes)))
        .validated(by: forge.keys, expecting: forge.expectations)
    }
    #expect(try named(["name": "7", "preferred_username": #""ada""#, "email": "[]"]).user.name == "ada")
    #expect(try named(["name": #""Ada""#, "preferred_username": #""ada""#]).user.name == "Ada")
    #expect(try named(["email": "[]"]).user.email == nil)
    #expect(try named([:]).user.name == nil)
  }
}
