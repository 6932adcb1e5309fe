import AuthenticationData
import AuthenticationDomain
import AuthenticationFirebase
import AuthenticationTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct FirebaseConformanceTests {
  @Test func `Firebase is a provider like any other`() async throws {
    var project = FirebaseProject(apiKey: "key")
    project.continueURL = "https://app.example.org/link"
    let violations = try await ProviderConformance(.firebase(project), .firebase).violations()
    #expect(violations == [])
  }

  @Test func `the same by Firebase's page`() async throws {
    let page = ScriptedPage { event in
      let link = "https://a.example/?eventId=\(event)&link=http%3A%2F%2Flocalhost%3Fcode%3Dcanary"
      return "abc.123://firebaseauth/link?deep_link_id=\(FormBody.encode(link))"
    }
    let pages = FirebasePages([.google], handler: "a.firebaseapp.com", clientID: "123.abc", presenter: page)
    let project = FirebaseProject(apiKey: "key", bundleID: "com.example.app", pages: pages)
    let violations = try await ProviderConformance(.firebase(project), .firebasePage).violations()
    #expect(violations == [])
  }
}

extension ProviderScript {
  /// How Identity Toolkit and the token service speak.
  fileprivate static var firebase: ProviderScript {
    get throws {
      let password = #"{"email":"ada@example.org","password":"canary-password","returnSecureToken":true}"#
      var script = ProviderScript(
        credentials: .password(userName: "ada@example.org", password: Secret("canary-password")), userID: "uid-1",
        signIn: [toolkit("v1/accounts:signInWithPassword", password, signedIn)],
        refresh: Exchange(
          """
          POST https://securetoken.googleapis.com/v1/token?key=key
          Accept: application/json
          Content-Type: application/x-www-form-urlencoded

          grant_type=refresh_token&refresh_token=canary-refresh
          """, refreshed(#""refresh_token":"canary-refresh-2","#)))
      (script.claims, script.refreshedClaims) = ([:], ["admin": true, "sign_in_provider": "password"])
      script.wrongCredentials = [
        refusal("INVALID_LOGIN_CREDENTIALS"), refusal("EMAIL_NOT_FOUND"), refusal("INVALID_PASSWORD : canary"),
      ]
      script.challenges = try [phone, link] + factors(password)
      script.refreshWithoutNewToken = refreshed("")
      script.sessionEnding = ["TOKEN_EXPIRED", "USER_NOT_FOUND", "USER_DISABLED", "INVALID_REFRESH_TOKEN"].map {
        refusal($0)
      }
      script.transient = [
        refusal("TOO_MANY_ATTEMPTS_TRY_LATER : canary"), refusal("QUOTA_EXCEEDED : canary"), .scripted(429),
        .scripted(503),
      ]
      script.otherRefusals = [
        "MISSING_REFRESH_TOKEN", "INVALID_GRANT_TYPE", "PROJECT_NUMBER_MISMATCH", "INVALID_TENANT_ID",
        "TENANT_ID_MISMATCH", "SESSION_EXPIRED", "INVALID_ID_TOKEN", "CREDENTIAL_TOO_OLD_LOGIN_AGAIN",
        "API key not valid. canary",
      ].map { refusal($0) }
      script.unknownCode = refusal("NEVER_HEARD_OF : canary")
      return script
    }
  }

  /// The same for an app with a bundle id, which each request names.
  fileprivate static var firebasePage: ProviderScript {
    get throws {
      var script = try firebase
      let random = Data([UInt8](repeating: 0x5A, count: 32)).base64URL
      script.credentials = BrowserSignIn(method: .browser(.google))
      script.signIn = [
        toolkit(
          "v1/accounts:signInWithIdp",
          #"{"autoCreate":true,"postBody":"providerId=google.com","requestUri":"http://localhost?code=canary","returnIdpCredential":true,"returnSecureToken":true,"sessionId":"\#(random)"}"#,
          signedIn, bundle: "com.example.app")
      ]
      script.wrongCredentials = [refusal("USER_NOT_FOUND")]
      script.challenges = []
      script.refresh = Exchange(
        """
        POST https://securetoken.googleapis.com/v1/token?key=key
        Accept: application/json
        Content-Type: application/x-www-form-urlencoded
        X-Ios-Bundle-Identifier: com.example.app

        grant_type=refresh_token&refresh_token=canary-refresh
        """, refreshed(#""refresh_token":"canary-refresh-2","#))
      return script
    }
  }

  private static var phone: ChallengeScript {
    let answer = #"{"code":"canary-code","sessionInfo":"canary-session"}"#
    return ChallengeScript(
      "a code by text message", credentials: .phone("+491701234567"),
      attributes: ["recaptchaToken": Secret("canary-human")],
      begin: [
        toolkit(
          "v1/accounts:sendVerificationCode", #"{"phoneNumber":"+491701234567","recaptchaToken":"canary-human"}"#,
          .scripted(200, #"{"sessionInfo":"canary-session"}"#))
      ],
      steps: [
        Step(
          .smsCode, answer: .code(Secret("canary-code")),
          [toolkit("v1/accounts:signInWithPhoneNumber", answer, signedIn)],
          wrong: [toolkit("v1/accounts:signInWithPhoneNumber", answer, refusal("INVALID_CODE : canary"))])
      ])
  }

  private static var link: ChallengeScript {
    get throws {
      let url = try #require(URL(string: "https://app.example.org/link?mode=signIn&oobCode=canary-oob&apiKey=key"))
      let answer = #"{"email":"ada@example.org","oobCode":"canary-oob"}"#
      return ChallengeScript(
        "a link by e-mail", credentials: .emailLink("ada@example.org"),
        begin: [
          toolkit(
            "v1/accounts:sendOobCode",
            #"{"canHandleCodeInApp":true,"continueUrl":"https://app.example.org/link","email":"ada@example.org","requestType":"EMAIL_SIGNIN"}"#,
            .scripted(200, #"{"email":"ada@example.org"}"#))
        ],
        steps: [
          Step(
            .link, answer: .link(url), [toolkit("v1/accounts:signInWithEmailLink", answer, signedIn)],
            wrong: [toolkit("v1/accounts:signInWithEmailLink", answer, refusal("EXPIRED_OOB_CODE"))])
        ])
    }
  }

  /// A second factor, of two that the user may choose.
  private static func factors(_ password: String) -> [ChallengeScript] {
    let begin = toolkit(
      "v1/accounts:signInWithPassword", password,
      .scripted(
        200,
        #"{"mfaPendingCredential":"canary-pending","mfaInfo":[{"mfaEnrollmentId":"s","phoneInfo":"+*******1234"},{"mfaEnrollmentId":"t","displayName":"App","totpInfo":{}}]}"#
      ))
    let credentials = PasswordCredentials(userName: "ada@example.org", password: Secret("canary-password"))
    let tokens = HTTPResponse.scripted(200, #"{"idToken":"\#(idToken)","refreshToken":"canary-refresh"}"#)
    let app =
      #"{"mfaEnrollmentId":"t","mfaPendingCredential":"canary-pending","totpVerificationInfo":{"verificationCode":"canary-code"}}"#
    let text =
      #"{"mfaPendingCredential":"canary-pending","phoneVerificationInfo":{"code":"canary-code","sessionInfo":"canary-message"}}"#
    let send = toolkit(
      "v2/accounts/mfaSignIn:start",
      #"{"mfaEnrollmentId":"s","mfaPendingCredential":"canary-pending","phoneSignInInfo":{"recaptchaToken":"canary-human"}}"#,
      .scripted(200, #"{"phoneResponseInfo":{"sessionInfo":"canary-message"}}"#))
    return [
      ChallengeScript(
        "an authenticator app", credentials: credentials, begin: [begin],
        steps: [
          Step(.choice, answer: .choice("t"), []),
          Step(
            .oneTimePassword, answer: .code(Secret("canary-code")),
            [toolkit("v2/accounts/mfaSignIn:finalize", app, tokens)],
            wrong: [toolkit("v2/accounts/mfaSignIn:finalize", app, refusal("INVALID_CODE"))]),
        ]),
      ChallengeScript(
        "a second factor by text message", credentials: credentials,
        attributes: ["recaptchaToken": Secret("canary-human")],
        begin: [begin],
        steps: [
          Step(.choice, answer: .choice("s"), [send]),
          Step(
            .smsCode, answer: .code(Secret("canary-code")), [toolkit("v2/accounts/mfaSignIn:finalize", text, tokens)]),
        ]),
    ]
  }

  private static let idToken = "e30.eyJzdWIiOiJ1aWQtMSJ9.canary"  // {"sub":"uid-1"}
  private static let signedIn = HTTPResponse.scripted(
    200,
    #"{"localId":"uid-1","email":"ada@example.org","idToken":"\#(idToken)","refreshToken":"canary-refresh","expiresIn":"3600"}"#
  )

  private static func refreshed(_ refreshToken: String) -> HTTPResponse {
    .scripted(
      200,
      #"{"access_token":"e30.eyJzdWIiOiJ1aWQtMSIsInVzZXJfaWQiOiJ1aWQtMSIsImFkbWluIjp0cnVlLCJmaXJlYmFzZSI6eyJzaWduX2luX3Byb3ZpZGVyIjoicGFzc3dvcmQifX0.canary-2","id_token":"canary",\#(refreshToken)"expires_in":"3600","token_type":"Bearer","user_id":"uid-1","project_id":"1"}"#
    )
  }

  private static func refusal(_ message: String) -> HTTPResponse {
    .scripted(
      400,
      #"{"error":{"code":400,"message":"\#(message)","errors":[{"message":"canary","domain":"global","reason":"invalid"}]}}"#
    )
  }

  private static func toolkit(
    _ operation: String, _ body: String, _ answer: HTTPResponse, bundle: String? = nil
  ) -> Exchange {
    Exchange(
      """
      POST https://identitytoolkit.googleapis.com/\(operation)?key=key
      Accept: application/json
      Content-Type: application/json\(bundle.map { "\nX-Ios-Bundle-Identifier: \($0)" } ?? "")

      \(body)
      """, answer)
  }
}
