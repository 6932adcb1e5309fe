import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationCognito

/// Signing in with a password: the requests, byte for byte, and the results.
@Suite struct CognitoSignInTests {
  static let vector = SRPVectors.published.exchanges[0]
  let vector = Self.vector
  /// The vector's own time.
  let clock = ManualClock(now: Date(timeIntervalSince1970: 1_772_510_706))

  static func verifier(user: String = "name-1", headers: [String: String] = [:]) -> HTTPResponse {
    amz(
      200,
      #"{"ChallengeName":"PASSWORD_VERIFIER","ChallengeParameters":{"SALT":"\#(vector.salt)","SRP_B":"\#(vector.server)","SECRET_BLOCK":"\#(vector.secretBlock)","USERNAME":"\#(user)","USER_ID_FOR_SRP":"\#(vector.user)"}}"#,
      headers: headers)
  }

  var password: Secret { Secret(vector.password) }

  @Test func `the proof of the published exchange is sent`() async throws {
    let pool = ScriptedPool(("InitiateAuth", Self.verifier()), ("RespondToAuthChallenge", signedIn()))
    let provider = try pool.provider(clock: clock, random: bytes(vector.secret))
    let session = try #require(try await provider.signIn(with: .password(userName: "ada", password: password)).session)
    let (first, second) = (pool.calls[0], pool.calls[1])
    #expect(first.request.url.absoluteString == "https://cognito-idp.us-east-1.amazonaws.com/")
    #expect(first.request.method == .post)
    #expect(first.request.headers["Content-Type"] == "application/x-amz-json-1.1")
    #expect(first.request.headers["X-Amz-Target"] == "AWSCognitoIdentityProviderService.InitiateAuth")
    #expect(
      first.request.body.map { String(decoding: $0, as: UTF8.self) }
        == #"{"AuthFlow":"USER_SRP_AUTH","AuthParameters":{"SRP_A":"\#(vector.client)","USERNAME":"ada"},"ClientId":"client1"}"#
    )
    #expect(
      second.request.body.map { String(decoding: $0, as: UTF8.self) }
        == #"{"ChallengeName":"PASSWORD_VERIFIER","ChallengeResponses":{"PASSWORD_CLAIM_SECRET_BLOCK":"\#(vector.secretBlock)","PASSWORD_CLAIM_SIGNATURE":"\#(vector.signature)","TIMESTAMP":"\#(vector.timestamp)","USERNAME":"name-1"},"ClientId":"client1"}"#
    )
    #expect(session.user.id == "sub-1")
    #expect(session.user.email == "ada@example.org")
    #expect(session.user.name == "name-1", "what the pool knows the account by, where no claim names the user")
    #expect(session.user.isEmailVerified == true)
    #expect(session.user.claims == ["cognito:username": "name-1", "custom:team": "7"])
    #expect(session.tokens.access.lifetime == .seconds(3_600))
    #expect(session.tokens.refresh == Secret("canary-refresh"))
    #expect(session.authorization == Secret("Bearer canary-access"))
    #expect(!pool.calls.contains { $0.request.isIdempotent })
  }

  @Test func `the server's clock counts, not the device's`() async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", Self.verifier(headers: ["Date": "Tue, 03 Mar 2026 04:05:06 GMT"])),
      ("RespondToAuthChallenge", signedIn()))
    let wrong = ManualClock(now: clock.now.addingTimeInterval(-86_400))
    let provider = try pool.provider(clock: wrong, random: bytes(vector.secret))
    _ = try await provider.signIn(with: .password(userName: "ada", password: password))
    #expect(pool.calls[1].answer("TIMESTAMP") == vector.timestamp)
    #expect(pool.calls[1].answer("PASSWORD_CLAIM_SIGNATURE") == vector.signature)
  }

  @Test func `another password gives another proof`() async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", Self.verifier()),
      ("RespondToAuthChallenge", amzError("NotAuthorizedException", "Incorrect username or password.")))
    let provider = try pool.provider(clock: clock, random: bytes(vector.secret))
    let error = await failure {
      try await provider.signIn(with: .password(userName: "ada", password: Secret("wrong")))
    }
    #expect(error == .invalidCredentials)
    #expect(pool.calls[1].answer("PASSWORD_CLAIM_SIGNATURE") != vector.signature)
  }

  @Test func `a client with a secret signs for the name that the service uses`() async throws {
    let pool = ScriptedPool(("InitiateAuth", Self.verifier()), ("RespondToAuthChallenge", signedIn()))
    let provider = try pool.provider({ $0.clientSecret = Secret("secret") }, clock: clock)
    _ = try await provider.signIn(with: .password(userName: "ada", password: password))
    // openssl dgst -sha256 -hmac secret -binary | base64, of "adaclient1" and "name-1client1"
    #expect(pool.calls[0].parameter("SECRET_HASH") == "YF79Jzf/0ANoElS+RyhQHnjtCVFgWfFoCRVNqQrekXI=")
    #expect(pool.calls[1].answer("SECRET_HASH") == "+7iUSH+Gk0HRx4ccAMWR2yUvJNW63AdWlQL0h3ZuwwM=")
  }

  @Test(
    arguments: [
      (amzError("InvalidParameterException", "USER_SRP_AUTH is not enabled for the client."), .clientRejected),
      (amzError("InvalidParameterException"), .invalidRequest),
      (amzError("UnknownOperationException"), .endpointMissing),
      (amz(500, "<h1>canary</h1>", headers: ["Content-Type": "text/html"]), .serverFailed),
      (asking("PASSWORD_VERIFIER", #"{"SALT":"a1","SRP_B":"b2","SECRET_BLOCK":"not-base-64"}"#), .unexpectedResponse),
    ] as [(HTTPResponse, AuthenticationError)])
  func `where there is no SRP the other way to send a password is named`(
    response: HTTPResponse, code: AuthenticationError
  ) async throws {
    let pool = ScriptedPool(("InitiateAuth", response))
    let provider = try pool.provider { $0.methods = [.password, .plainPassword] }
    let error = await failure { try await provider.signIn(with: .password(userName: "ada", password: password)) }
    #expect(error == code)
    #expect(error?.suggestion?.contains("'password-plain'") == true)
    #expect(error.map { !"\($0)".contains("canary") } == true)
    let plain = CognitoCredentials(userName: "ada", password: password, method: .plainPassword)
    let other = ScriptedPool(("InitiateAuth", amzError("InvalidParameterException")))
    let refused = try other.provider { $0.methods = [.plainPassword] }
    #expect(await failure { try await refused.signIn(with: plain) }?.suggestion?.contains("password-plain") == false)
  }

  @Test(arguments: ["NotAuthorizedException", "UserNotFoundException", "ResourceNotFoundException"])
  func `a wrong password and a wrong client are not taken for a pool without SRP`(type: String) async throws {
    let pool = ScriptedPool(("InitiateAuth", amzError(type)))
    let provider = try pool.provider()
    let error = await failure { try await provider.signIn(with: .password(userName: "ada", password: password)) }
    #expect(error?.suggestion?.contains("password-plain") != true)
  }

  @Test func `a plain password is sent only by its own method`() async throws {
    let pool = ScriptedPool(("InitiateAuth", signedIn()))
    let provider = try pool.provider()
    let credentials = CognitoCredentials(userName: "ada", password: Secret("pass"), method: .plainPassword)
    _ = try await provider.signIn(with: credentials)
    #expect(pool.calls[0].body["AuthFlow"] == "USER_PASSWORD_AUTH")
    #expect(pool.calls[0].parameter("PASSWORD") == "pass")
    let strict = try pool.provider { $0.methods = [.password] }
    #expect(await failure { try await strict.signIn(with: credentials) } == .unsupportedMethod)
    #expect(pool.calls.count == 1)
  }

  @Test func `the attributes that the app supplies go to the pool's triggers`() async throws {
    let pool = ScriptedPool(("InitiateAuth", signedIn()))
    let provider = try pool.provider()
    _ = try await provider.signIn(
      with: .password(userName: "ada", password: Secret("pass")),
      attributes: ["captcha": Secret("c-1"), "userAttributes.name": Secret("x")])
    #expect(pool.calls[0].body["ClientMetadata"] == ["captcha": "c-1"])
  }

  @Test(arguments: [
    ("EMAIL_OTP", EmailCredentials(address: "ada@example.org") as any Credentials, "ada@example.org"),
    ("SMS_OTP", PhoneCredentials(phoneNumber: "+491701234567"), "+491701234567"),
    ("WEB_AUTHN", CognitoCredentials(userName: "ada", method: .passkey), "ada"),
  ]) func `a way without a password is asked for by name`(
    preferred: String, credentials: any Credentials, name: String
  ) async throws {
    let pool = ScriptedPool(("InitiateAuth", signedIn()))
    _ = try await pool.provider().signIn(with: credentials)
    #expect(pool.calls[0].body["AuthFlow"] == "USER_AUTH")
    #expect(pool.calls[0].parameter("PREFERRED_CHALLENGE") == preferred)
    #expect(pool.calls[0].parameter("USERNAME") == name)
  }

  @Test func `tokens without a user's name are revoked`() async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", amz(#"{"AuthenticationResult":{"AccessToken":"opaque","RefreshToken":"canary-refresh"}}"#)),
      ("RevokeToken", amz("")))
    let provider = try pool.provider()
    let error = await failure { try await provider.signIn(with: .password(userName: "a", password: Secret("p"))) }
    #expect(error == .unexpectedResponse)
    #expect(pool.calls[1].body == ["ClientId": "client1", "Token": "canary-refresh"])
  }

  @Test func `credentials of another kind are refused before anything is sent`() async throws {
    let pool = ScriptedPool()
    let provider = try pool.provider()
    for credentials in [BareCredentials.anonymous, EmailCredentials(address: "a@b", method: .emailLink)]
      as [any Credentials]
    {
      #expect(await failure { try await provider.signIn(with: credentials) } == .unsupportedMethod)
    }
    #expect(await failure { try await provider.signIn(with: .passkey) } == .blankUserName)
    #expect(
      await failure { try CognitoCredentials(userName: " ", method: .passkey).validate() } == .blankUserName)
    #expect(
      await failure { try CognitoCredentials(userName: "a", method: .plainPassword).validate() } == .emptyPassword
    )
  }
}
