import AuthenticationCognito
import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct CognitoConformanceTests {
  @Test func `Cognito is a provider like any other`() async {
    let pool = CognitoUserPool(
      id: "us-east-1_AbCdEfGhI", clientID: "client1", methods: [.plainPassword, .emailCode, .customChallenge])
    let violations = await ProviderConformance(.cognito(pool), .cognito).violations()
    #expect(violations == [])
  }

  @Test func `the same by a page`() async throws {
    let login = CognitoManagedLogin(
      domain: "https://notes.example.com", redirect: .address("com.example.app:/callback"),
      presenter: ScriptedPage { "com.example.app:/callback?code=canary-code&state=\($0)" })
    let pool = CognitoUserPool(
      id: "us-east-1_AbCdEfGhI", clientID: "client1", methods: [.browser(.google)], managedLogin: login)
    let violations = await ProviderConformance(.cognito(pool), .cognitoPage).violations()
    #expect(violations == [])
  }
}

extension ProviderScript {
  /// How a user pool speaks.
  fileprivate static var cognito: ProviderScript {
    var script = ProviderScript(
      credentials: password, userID: "sub-1", signIn: [begin(signedIn)],
      refresh: call(
        "GetTokensFromRefreshToken", #"{"ClientId":"client1","RefreshToken":"canary-refresh"}"#,
        pool(
          #"{"AuthenticationResult":{"AccessToken":"canary-access-2","IdToken":"e30.eyJzdWIiOiJzdWItMSIsInRva2VuX3VzZSI6ImlkIiwiY29nbml0bzpncm91cHMiOlsiZWRpdG9ycyJdfQ.canary","RefreshToken":"canary-refresh-2","ExpiresIn":3600,"TokenType":"Bearer"},"ChallengeParameters":{}}"#
        )))
    script.claims = ["cognito:username": "name-1"]
    script.refreshedClaims = ["cognito:username": "name-1", "cognito:groups": ["editors"]]
    script.wrongCredentials = [
      amzError("NotAuthorizedException", "Incorrect username or password. canary"),
      amzError("com.amazonaws#UserNotFoundException"),
    ]
    script.challenges = [app, mail, choice, newPassword, custom]
    script.refreshWithoutNewToken = pool(
      #"{"AuthenticationResult":{"AccessToken":"canary-access-2","ExpiresIn":3600,"TokenType":"Bearer"}}"#)
    script.sessionEnding = [
      amzError("NotAuthorizedException", "Refresh Token has expired canary"),
      amzError("NotAuthorizedException", "Refresh Token has been revoked canary"),
      amzError("NotAuthorizedException", "Invalid Refresh Token canary"),
      amzError("NotAuthorizedException", "User is disabled. canary"),
      amzError("RefreshTokenReuseException"), amzError("UserNotFoundException"),
    ]
    script.transient = [
      amzError("TooManyRequestsException"), amzError("LimitExceededException"),
      pool(#"{"__type":"InternalErrorException","message":"canary"}"#, 500), pool("canary", 503),
    ]
    script.otherRefusals = [
      amzError("NotAuthorizedException", "Refresh token rotation is enabled for the client. canary"),
      amzError("NotAuthorizedException", "Client client1 not authorized canary"),
      amzError("NotAuthorizedException", "SecretHash does not match for the client: canary"),
      amzError("ResourceNotFoundException"), amzError("InvalidParameterException"), amzError("ForbiddenException"),
    ]
    script.unknownCode = amzError("NeverHeardOfException")
    script.revocation = [
      call("RevokeToken", #"{"ClientId":"client1","Token":"canary-refresh"}"#, pool(""))
    ]
    script.revokedTokens = [amzError("NotAuthorizedException", "Refresh Token has been revoked canary")]
    script.validation = Validation(
      call(
        "GetUser", #"{"AccessToken":"canary-access"}"#, pool(#"{"Username":"name-1","UserAttributes":[]}"#)),
      refusals: [amzError("NotAuthorizedException", "Access Token has been revoked canary")])
    return script
  }

  /// How the pool's domain speaks.
  fileprivate static var cognitoPage: ProviderScript {
    let random = Data([UInt8](repeating: 0x5A, count: 32)).base64URL
    let identity = VendorToken.make([
      "iss": "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_AbCdEfGhI", "aud": "client1", "token_use": "id",
      "nonce": .string(random), "exp": 1_767_229_200, "sub": "sub-1", "cognito:username": "name-1",
    ])
    var script = cognito
    script.credentials = BrowserSignIn(method: .browser(.google))
    script.signIn = [
      Exchange(
        """
        POST https://notes.example.com/oauth2/token
        Accept: application/json
        Content-Type: application/x-www-form-urlencoded

        grant_type=authorization_code&client_id=client1&code=canary-code&redirect_uri=com.example.app%3A%2Fcallback&code_verifier=\(random)
        """,
        .scripted(
          200,
          #"{"access_token":"canary-access","id_token":"\#(identity)","refresh_token":"canary-refresh","expires_in":3600,"token_type":"Bearer"}"#
        ))
    ]
    script.wrongCredentials = [.scripted(400, #"{"error":"invalid_grant"}"#)]
    script.challenges = []
    return script
  }

  private static let password = CognitoCredentials(
    userName: "ada", password: Secret("canary-password"), method: .plainPassword)

  private static func begin(_ answer: HTTPResponse) -> Exchange {
    call(
      "InitiateAuth",
      #"{"AuthFlow":"USER_PASSWORD_AUTH","AuthParameters":{"PASSWORD":"canary-password","USERNAME":"ada"},"ClientId":"client1"}"#,
      answer)
  }

  // MARK: Challenges

  private static var app: ChallengeScript {
    ChallengeScript(
      "an authenticator app", credentials: password,
      begin: [begin(asking("SOFTWARE_TOKEN_MFA", #"{"FRIENDLY_DEVICE_NAME":"App","USER_ID_FOR_SRP":"name-1"}"#))],
      steps: [
        code(.oneTimePassword, "SOFTWARE_TOKEN_MFA", #""SOFTWARE_TOKEN_MFA_CODE":"canary-code","USERNAME":"name-1""#)
      ])
  }

  private static var mail: ChallengeScript {
    ChallengeScript(
      "a code by e-mail", credentials: .emailCode("ada@example.org"),
      begin: [
        call(
          "InitiateAuth",
          #"{"AuthFlow":"USER_AUTH","AuthParameters":{"PREFERRED_CHALLENGE":"EMAIL_OTP","USERNAME":"ada@example.org"},"ClientId":"client1"}"#,
          asking("EMAIL_OTP", #"{"CODE_DELIVERY_DELIVERY_MEDIUM":"EMAIL","CODE_DELIVERY_DESTINATION":"a***@e***"}"#))
      ],
      steps: [code(.emailCode, "EMAIL_OTP", #""EMAIL_OTP_CODE":"canary-code","USERNAME":"ada@example.org""#)])
  }

  private static var choice: ChallengeScript {
    ChallengeScript(
      "a second factor of several", credentials: password,
      begin: [begin(asking("SELECT_MFA_TYPE", #"{"MFAS_CAN_CHOOSE":"[\"SMS_MFA\",\"SOFTWARE_TOKEN_MFA\"]"}"#))],
      steps: [
        Step(
          .choice, answer: .choice("SMS_MFA"),
          [respond("SELECT_MFA_TYPE", #""ANSWER":"SMS_MFA","USERNAME":"ada""#, asking("SMS_MFA"))]),
        code(.smsCode, "SMS_MFA", #""SMS_MFA_CODE":"canary-code","USERNAME":"ada""#),
      ])
  }

  private static var newPassword: ChallengeScript {
    let answer = #""NEW_PASSWORD":"canary-new","USERNAME":"ada""#
    return ChallengeScript(
      "a new password", credentials: password,
      begin: [begin(asking("NEW_PASSWORD_REQUIRED", #"{"userAttributes":"{}","requiredAttributes":"[]"}"#))],
      steps: [
        Step(
          .newPassword, answer: .newPassword(Secret("canary-new")),
          [respond("NEW_PASSWORD_REQUIRED", answer, signedIn)],
          wrong: [respond("NEW_PASSWORD_REQUIRED", answer, amzError("InvalidPasswordException"))])
      ])
  }

  private static var custom: ChallengeScript {
    ChallengeScript(
      "a challenge of the pool's own", credentials: CognitoCredentials(userName: "ada", method: .customChallenge),
      begin: [
        call(
          "InitiateAuth", #"{"AuthFlow":"CUSTOM_AUTH","AuthParameters":{"USERNAME":"ada"},"ClientId":"client1"}"#,
          asking("CUSTOM_CHALLENGE", #"{"question":"canary"}"#))
      ],
      steps: [code(.custom, "CUSTOM_CHALLENGE", #""ANSWER":"canary-code","USERNAME":"ada""#)])
  }

  private static func code(_ kind: Challenge.Kind, _ name: String, _ answer: String) -> Step {
    Step(
      kind, answer: .code(Secret("canary-code")), [respond(name, answer, signedIn)],
      wrong: [respond(name, answer, amzError("CodeMismatchException"))])
  }

  private static func respond(_ name: String, _ answer: String, _ response: HTTPResponse) -> Exchange {
    call(
      "RespondToAuthChallenge",
      #"{"ChallengeName":"\#(name)","ChallengeResponses":{\#(answer)},"ClientId":"client1","Session":"canary-session"}"#,
      response)
  }

  // MARK: The wire

  // The ID token's payload is {"sub":"sub-1","cognito:username":"name-1"}.
  private static let signedIn = pool(
    #"{"AuthenticationResult":{"AccessToken":"canary-access","IdToken":"e30.eyJzdWIiOiJzdWItMSIsImNvZ25pdG86dXNlcm5hbWUiOiJuYW1lLTEifQ.canary","RefreshToken":"canary-refresh","ExpiresIn":3600,"TokenType":"Bearer"},"ChallengeParameters":{}}"#
  )

  private static func asking(_ name: String, _ parameters: String = "{}") -> HTTPResponse {
    pool(#"{"ChallengeName":"\#(name)","ChallengeParameters":\#(parameters),"Session":"canary-session"}"#)
  }

  private static func amzError(_ type: String, _ message: String = "canary") -> HTTPResponse {
    pool(#"{"__type":"\#(type)","message":"\#(message)"}"#, 400)
  }

  private static func pool(_ body: String, _ status: Int = 200) -> HTTPResponse {
    .scripted(status, body, type: "application/x-amz-json-1.1")
  }

  private static func call(_ operation: String, _ body: String, _ answer: HTTPResponse) -> Exchange {
    Exchange(
      """
      POST https://cognito-idp.us-east-1.amazonaws.com/
      Accept: application/json
      Content-Type: application/x-amz-json-1.1
      X-Amz-Target: AWSCognitoIdentityProviderService.\(operation)

      \(body)
      """, answer)
  }
}
