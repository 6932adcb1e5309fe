import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationCognito

/// Responses that no pool should send: each is refused, and none of it is shown.
@Suite struct CognitoHostileTests {
  static let modulus = SRPNumber.hexadecimal(SRPGroup.cognito.modulus.limbs.bytes)

  @Test(arguments: [
    "", "<html>canary</html>", "{", "null", "[]", "7", #""canary""#, "{}", #"{"ChallengeName":7}"#,
    #"{"ChallengeName":""}"#, #"{"AuthenticationResult":"canary"}"#, #"{"AuthenticationResult":{}}"#,
    #"{"AuthenticationResult":{"AccessToken":7}}"#, #"{"AuthenticationResult":{"AccessToken":"a b"}}"#,
    #"{"ChallengeName":"PASSWORD_VERIFIER"}"#, #"{"ChallengeName":"PASSWORD_VERIFIER","ChallengeParameters":"canary"}"#,
    #"{"ChallengeName":"SELECT_MFA_TYPE","ChallengeParameters":{"MFAS_CAN_CHOOSE":"{"}}"#,
    #"{"ChallengeName":"SELECT_CHALLENGE","AvailableChallenges":["canary"]}"#,
    #"{"ChallengeName":"WEB_AUTHN","ChallengeParameters":{}}"#, #"{"ChallengeName":"DEVICE_SRP_AUTH"}"#,
    #"{"ChallengeName":"DEVICE_PASSWORD_VERIFIER"}"#,
  ]) func `a response that makes no sense is refused`(body: String) async throws {
    let pool = ScriptedPool(("InitiateAuth", amz(body)))
    let error = await failure {
      try await pool.provider().signIn(with: .password(userName: "ada", password: Secret("canary-pass")))
    }
    #expect(error == .unexpectedResponse)
    #expect("\(error, default: "-")".contains("canary") == false)
  }

  @Test(arguments: [
    ["SRP_B": "0"], ["SRP_B": "000000"], ["SRP_B": modulus], ["SRP_B": "1" + modulus], ["SRP_B": ""], ["SRP_B": "xyz"],
    ["SRP_B": "-1"], ["SRP_B": String(repeating: "f", count: 1_025)], ["SALT": ""], ["SALT": "g"],
    ["SECRET_BLOCK": "no base64!"], ["SECRET_BLOCK": ""],
  ]) func `numbers that make the proof worthless are not answered`(change: [String: String]) async throws {
    let vector = CognitoSignInTests.vector
    let parameters = [
      "SALT": vector.salt, "SRP_B": vector.server, "SECRET_BLOCK": vector.secretBlock, "USER_ID_FOR_SRP": vector.user,
    ].merging(change) { $1 }
    let json = String(decoding: try JSONEncoder().encode(parameters), as: UTF8.self)
    let pool = ScriptedPool(("InitiateAuth", asking("PASSWORD_VERIFIER", json)))
    let error = await failure {
      try await pool.provider().signIn(with: .password(userName: "ada", password: Secret("pass")))
    }
    #expect(error == .unexpectedResponse)
    #expect(pool.operations == ["InitiateAuth"])
  }

  @Test func `a number where a text belongs is refused`() async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", asking("PASSWORD_VERIFIER", #"{"SALT":1,"SRP_B":2,"SECRET_BLOCK":3,"USER_ID_FOR_SRP":4}"#)))
    let error = await failure {
      try await pool.provider().signIn(with: .password(userName: "ada", password: Secret("pass")))
    }
    #expect(error == .unexpectedResponse)
  }

  @Test func `a pool that asks for proof for ever is given up`() async throws {
    let pool = ScriptedPool(("InitiateAuth", CognitoSignInTests.verifier()))
    for _ in 0..<20 { pool.add(("RespondToAuthChallenge", CognitoSignInTests.verifier())) }
    let error = await failure {
      try await pool.provider().signIn(with: .password(userName: "ada", password: Secret("pass")))
    }
    #expect(error == .unexpectedResponse)
    #expect(pool.calls.count == 7)
  }

  @Test func `a lifetime that cannot be is unknown, and a number in a text is read`() async throws {
    for (text, lifetime) in [
      ("-1", nil), ("0", nil), ("1e300", nil), (#""x""#, nil), ("null", nil), (#""300""#, .seconds(300)),
    ] as [(String, Duration?)] {
      let pool = ScriptedPool(
        ("GetTokensFromRefreshToken", amz(#"{"AuthenticationResult":{"AccessToken":"a","ExpiresIn":\#(text)}}"#)))
      #expect(try await pool.provider().refresh(.cognito()).access.lifetime == lifetime)
    }
  }

  @Test func `a response that is cut off anywhere is an error, never a crash`() async throws {
    let whole = CognitoSignInTests.verifier().body
    for length in stride(from: 0, to: whole.count, by: 37) {
      let cut = HTTPResponse(status: 200, headers: [:], body: whole.prefix(length))
      let pool = ScriptedPool(("InitiateAuth", cut))
      let error = await failure {
        try await pool.provider().signIn(with: .password(userName: "ada", password: Secret("pass")))
      }
      #expect(error == .unexpectedResponse)
    }
  }
}
