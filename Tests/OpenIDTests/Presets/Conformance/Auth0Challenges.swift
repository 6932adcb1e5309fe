import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting

extension ProviderScript {
  static var auth0OneTimePassword: ChallengeScript {
    let answer = "mfa_token=canary-mfa&otp=123456&client_id=app"
    return ChallengeScript(
      "an authenticator app", credentials: Auth0Wire.password,
      begin: [
        Auth0Wire.begin(Auth0Wire.mfaRequired),
        Auth0Wire.factors(#"[{"id":"totp|1","authenticator_type":"otp","active":true}]"#),
      ],
      steps: [
        Step(
          .oneTimePassword, answer: .code(Secret("123456")),
          [Auth0Wire.grant("mfa-otp", answer, Auth0Wire.signedIn), Auth0Wire.userInfo],
          wrong: [Auth0Wire.grant("mfa-otp", answer, refusal("invalid_grant", 403, "Invalid otp_code."))])
      ])
  }

  static var auth0Message: ChallengeScript {
    let answer = "mfa_token=canary-mfa&oob_code=canary-oob&binding_code=123456&client_id=app"
    return ChallengeScript(
      "a code by text message", credentials: Auth0Wire.password,
      begin: [
        Auth0Wire.begin(Auth0Wire.mfaRequired),
        Auth0Wire.factors(
          #"[{"id":"sms|1","authenticator_type":"oob","oob_channel":"sms","name":"XX42","active":true}]"#),
        Auth0Wire.json(
          "mfa/challenge",
          #"{"authenticator_id":"sms|1","challenge_type":"oob","client_id":"app","mfa_token":"canary-mfa"}"#,
          #"{"challenge_type":"oob","oob_code":"canary-oob","binding_method":"prompt"}"#),
      ],
      steps: [
        Step(
          .smsCode, answer: .code(Secret("123456")),
          [Auth0Wire.grant("mfa-oob", answer, Auth0Wire.signedIn), Auth0Wire.userInfo],
          wrong: [Auth0Wire.grant("mfa-oob", answer, refusal("invalid_grant", 403, "Invalid binding_code."))])
      ])
  }

  static var auth0Mail: ChallengeScript {
    let answer = "username=ada%40example.com&otp=123456&realm=email&\(Auth0Wire.scopes)&client_id=app"
    return ChallengeScript(
      "a code by e-mail", credentials: .emailCode("ada@example.com"),
      begin: [
        Auth0Wire.json(
          "passwordless/start",
          #"{"client_id":"app","connection":"email","email":"ada@example.com","send":"code"}"#, #"{"_id":"1"}"#)
      ],
      steps: [
        Step(
          .emailCode, answer: .code(Secret("123456")),
          [Auth0Wire.grant("passwordless%2Fotp", answer, Auth0Wire.signedIn), Auth0Wire.userInfo],
          wrong: [
            Auth0Wire.grant(
              "passwordless%2Fotp", answer, refusal("invalid_grant", 403, "Wrong email or verification code."))
          ])
      ])
  }
}
