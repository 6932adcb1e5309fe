import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationOpenID

/// Auth0's second factor: `mfa_required`, and the steps after it.
@Suite struct Auth0FactorTests {
  private static let grants = "grant_type=http%3A%2F%2Fauth0.com%2Foauth%2Fgrant-type%2F"

  private func bench(
    _ authenticators: HTTPResponse, _ token: HTTPResponse..., more: [String: [HTTPResponse]] = [:],
    show: @escaping @Sendable ([Secret]) async -> Void = { _ in }
  ) throws -> PresetBench {
    try Auth0.bench(
      ["/oauth/token": [Auth0.mfaRequired] + token, "/mfa/authenticators": [authenticators]].merging(more) { $1 },
      client: .auth0(domain: Auth0.domain, clientID: "app", showRecoveryCodes: show))
  }

  @Test func `the one authenticator app is asked for at once, for ten minutes`() async throws {
    let bench = try bench(Auth0.authenticators(Auth0.otp, Auth0.recovery), Auth0.tokens)
    let challenge = try await bench.challenge(Auth0.password)
    #expect(challenge.kind == .oneTimePassword)
    #expect(challenge.lifetime == .seconds(600))
    #expect(challenge.choices.map(\.kind) == [.oneTimePassword, .recoveryCode])
    #expect(
      bench.sent("/mfa/authenticators") == [
        [
          "GET", "https://tenant.eu.auth0.com/mfa/authenticators", "Authorization: Bearer mfa-1",
          "Accept: application/json", "no body",
        ]
      ])
    #expect(try await bench.session(ChallengeAnswer(to: challenge, code: Secret("123456"))).user.id == "auth0|1")
    #expect(bench.bodies("/oauth/token").last == "\(Self.grants)mfa-otp&mfa_token=mfa-1&otp=123456&client_id=app")
  }

  @Test func `among several the user chooses, and an inactive one is not offered`() async throws {
    let inactive = #"{"id":"email|1","authenticator_type":"oob","oob_channel":"email","active":false}"#
    let bench = try bench(
      Auth0.authenticators(
        Auth0.otp, Auth0.sms, inactive, #"{"id":"x","authenticator_type":"carrier-pigeon","active":true}"#),
      Auth0.tokens,
      more: ["/mfa/challenge": [json(200, #"{"challenge_type":"oob","oob_code":"oob-1","binding_method":"prompt"}"#)]])
    let choice = try await bench.challenge(Auth0.password)
    #expect(choice.kind == .choice)
    #expect(choice.choices.map(\.id) == ["totp|1", "sms|1"])
    let challenge = try await bench.challenge(ChallengeAnswer(to: choice, .choice("sms|1")))
    #expect(challenge.kind == .smsCode)
    #expect(challenge.destination == "XXXXXX42")
    #expect(
      bench.bodies("/mfa/challenge") == [
        #"{"authenticator_id":"sms|1","challenge_type":"oob","client_id":"app","mfa_token":"mfa-1"}"#
      ])
    _ = try await bench.session(ChallengeAnswer(to: challenge, code: Secret("123456")))
    #expect(
      bench.bodies("/oauth/token").last
        == "\(Self.grants)mfa-oob&mfa_token=mfa-1&oob_code=oob-1&binding_code=123456&client_id=app")
  }

  @Test func `another code has another handle`() async throws {
    let bench = try bench(
      Auth0.authenticators(Auth0.sms), Auth0.tokens,
      more: [
        "/mfa/challenge": [
          json(200, #"{"challenge_type":"oob","oob_code":"oob-1","binding_method":"prompt"}"#),
          json(200, #"{"challenge_type":"oob","oob_code":"oob-2","binding_method":"prompt"}"#),
        ]
      ])
    let first = try await bench.challenge(Auth0.password)
    let second = try await bench.challenge(ChallengeAnswer(to: first, .resend))
    #expect(first.handle != second.handle)
    _ = try await bench.session(ChallengeAnswer(to: second, code: Secret("123456")))
    #expect(bench.bodies("/oauth/token").last?.contains("oob_code=oob-2") == true)
  }

  @Test func `a push without a binding method is polled, until the user approves`() async throws {
    let bench = try bench(
      Auth0.authenticators(Auth0.push), Auth0.error("authorization_pending", status: 400),
      Auth0.error("slow_down", status: 429), Auth0.tokens,
      more: ["/mfa/challenge": [json(200, #"{"challenge_type":"oob","oob_code":"oob-1"}"#)]])
    let challenge = try await bench.challenge(Auth0.password)
    #expect(challenge.kind == .approval)
    #expect(challenge.pollInterval == .seconds(5))
    let pending = try await bench.challenge(ChallengeAnswer(to: challenge, .approval))
    #expect(pending == challenge)
    let slower = try await bench.challenge(ChallengeAnswer(to: challenge, .approval))
    #expect(slower.pollInterval == .seconds(10))
    #expect(slower.handle == challenge.handle)
    _ = try await bench.session(ChallengeAnswer(to: slower, .approval))
    #expect(
      bench.bodies("/oauth/token").last == "\(Self.grants)mfa-oob&mfa_token=mfa-1&oob_code=oob-1&client_id=app")
  }

  @Test func `a recovery code brings a new one, which is shown before the sign-in ends`() async throws {
    let shown = Mutex<[Secret]>([])
    let tokens = json(
      200, #"{"access_token":"a","token_type":"Bearer","expires_in":86400,"recovery_code":"NEWNEWNEW"}"#)
    let bench = try bench(Auth0.authenticators(Auth0.otp, Auth0.recovery), tokens) {
      codes in shown.withLock { $0 += codes }
    }
    let challenge = try await bench.challenge(Auth0.password)
    let recovery = try await bench.challenge(ChallengeAnswer(to: challenge, .choice("recovery|1")))
    #expect(recovery.kind == .recoveryCode)
    _ = try await bench.session(ChallengeAnswer(to: recovery, code: Secret("ABCD-EFGH")))
    #expect(
      bench.bodies("/oauth/token").last
        == "\(Self.grants)mfa-recovery-code&mfa_token=mfa-1&recovery_code=ABCDEFGH&client_id=app")
    #expect(shown.withLock { $0 } == [Secret("NEWNEWNEW")])
  }

  @Test func `a user who has no factor yet enrols an authenticator app, and is shown the recovery codes`() async throws
  {
    let shown = Mutex<[Secret]>([])
    let bench = try bench(
      Auth0.authenticators(), Auth0.tokens,
      more: [
        "/mfa/associate": [
          json(
            200,
            #"{"authenticator_type":"otp","secret":"JBSWY3DP","barcode_uri":"otpauth://totp/x","recovery_codes":["R1"]}"#
          )
        ]
      ]
    ) { codes in shown.withLock { $0 += codes } }
    let challenge = try await bench.challenge(Auth0.password)
    #expect(challenge.kind == .enrolment)
    #expect(challenge.enrolment?.secret == Secret("JBSWY3DP"))
    #expect(challenge.enrolment?.uri == Secret("otpauth://totp/x"))
    #expect(
      bench.sent("/mfa/associate") == [
        [
          "POST", "https://tenant.eu.auth0.com/mfa/associate", "Authorization: Bearer mfa-1",
          "Accept: application/json", "Content-Type: application/json", #"{"authenticator_types":["otp"]}"#,
        ]
      ])
    #expect(shown.withLock { $0 } == [Secret("R1")])
    _ = try await bench.session(ChallengeAnswer(to: challenge, code: Secret("123456")))
    #expect(bench.bodies("/oauth/token").last?.contains("mfa-otp&mfa_token=mfa-1&otp=123456") == true)
  }

  @Test func `a phone is enrolled where the app gives its number`() async throws {
    let bench = try bench(
      Auth0.authenticators(), Auth0.tokens,
      more: [
        "/mfa/associate": [
          json(
            200, #"{"authenticator_type":"oob","oob_channel":"sms","oob_code":"oob-1","binding_method":"prompt"}"#)
        ]
      ])
    let challenge = try await bench.challenge(Auth0.password, attributes: ["phone_number": Secret("+491701234567")])
    #expect(challenge.kind == .smsCode)
    #expect(
      bench.bodies("/mfa/associate") == [
        #"{"authenticator_types":["oob"],"oob_channels":["sms"],"phone_number":"+491701234567"}"#
      ])
    _ = try await bench.session(ChallengeAnswer(to: challenge, code: Secret("123456")))
    #expect(bench.bodies("/oauth/token").last?.contains("oob_code=oob-1&binding_code=123456") == true)
  }

  @Test func `a user who is already enrolled is challenged instead`() async throws {
    let bench = try bench(
      Auth0.authenticators(),
      more: [
        "/mfa/associate": [Auth0.error("access_denied", "User is already enrolled.")],
        "/mfa/challenge": [json(200, #"{"challenge_type":"otp"}"#)],
      ])
    #expect(try await bench.challenge(Auth0.password).kind == .oneTimePassword)
    #expect(
      bench.bodies("/mfa/challenge") == [#"{"challenge_type":"otp oob","client_id":"app","mfa_token":"mfa-1"}"#])
  }

  @Test func `a factor that Auth0 no longer knows leads to the enrolment of one`() async throws {
    let bench = try bench(
      Auth0.authenticators(Auth0.sms),
      more: [
        "/mfa/challenge": [Auth0.error("unsupported_challenge_type", status: 400)],
        "/mfa/associate": [json(200, #"{"authenticator_type":"otp","secret":"JBSWY3DP"}"#)],
      ])
    #expect(try await bench.challenge(Auth0.password).kind == .enrolment)
  }

  @Test func `the handle of a challenge has no password, and prints nothing`() async throws {
    let bench = try bench(Auth0.authenticators(Auth0.otp))
    let challenge = try await bench.challenge(Auth0.password)
    #expect(!challenge.handle.reveal().contains("pw"))
    #expect(!texts(of: challenge).contains("mfa-1"))
  }

  private func texts(of challenge: Challenge) -> String {
    var text = "\(challenge) \(String(reflecting: challenge))"
    dump(challenge, to: &text)
    return text
  }
}
