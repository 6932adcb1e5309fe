import AuthenticationKit
import Foundation

/// A response of allauth: 200 is done, 401 may ask for a step, 400 has errors, 409 has no such step, 410 no such
/// session.
struct AllauthResponse {
  private struct Body: Decodable {
    let data: AllauthData?
    let meta: Meta?
    let errors: [Failure]?
    let status: Int

    private enum CodingKeys: CodingKey { case data, meta, errors, status }

    init(from decoder: any Decoder) throws {
      let body = try decoder.container(keyedBy: CodingKeys.self)
      status = try body.decode(Int.self, forKey: .status)
      // A list where a step is done.
      data = try? body.decode(AllauthData.self, forKey: .data)
      meta = try body.decodeIfPresent(Meta.self, forKey: .meta)
      errors = try body.decodeIfPresent([Failure].self, forKey: .errors)
    }
  }

  struct Meta: Decodable {
    let is_authenticated: Bool?
    let session_token: String?
    let access_token: String?
    let refresh_token: String?
    let secret: String?
    let totp_url: String?
  }

  private struct Failure: Decodable {
    let code: String
  }

  private let status: Int
  private let body: Body

  /// Nil for a response that is not allauth's.
  init?(_ response: HTTPResponse) {
    guard response.isJSON, let body = try? BoundedJSON.decode(Body.self, from: response.body),
      body.status == response.status
    else { return nil }
    status = response.status
    self.body = body
  }

  var data: AllauthData? { body.data }
  var meta: Meta? { body.meta }
  var user: User? { data?.user?.value }

  /// A refresh token that is not known gets 400 without errors; a session 410, or 401 at its own end.
  var endsSession: Bool {
    switch status {
    case 400: body.errors == nil
    case 401: meta?.is_authenticated == false
    default: status == 410
    }
  }

  /// The step that is asked; nil if none is.
  func next(
    after former: AllauthStep, _ answer: ChallengeAnswer? = nil
  ) throws(AuthenticationError) -> Challenge? {
    if let refusal = refusal(of: former) { throw refusal }
    var step = former
    step.session = meta?.session_token ?? former.session
    if let options = data?.request_options {
      step.flow = former.flow == .secondFactor ? .secondPasskey : .passkey
      return step.asking(.passkey, options: options)
    }
    if let options = data?.creation_options {
      step.flow = .enrolPasskey
      return step.asking(.passkeyRegistration, options: options)
    }
    if let secret = meta?.secret {
      step.flow = .enrolTOTP
      let enrolment = Challenge.Enrolment(secret: Secret(secret), uri: meta?.totp_url.map(Secret.init))
      return step.asking(.enrolment, enrolment, format: .digits(6))
    }
    if let codes = data?.unused_codes {
      step.flow = .recoveryCodes
      return step.asking(.recoveryCodes, .init(secret: Secret(codes.joined(separator: " "))))
    }
    if let pending = data?.pending, let flow = AllauthStep.Flow(rawValue: pending.id) {
      if case .resend = answer?.content { step.sent += 1 }
      step.flow = flow
      if flow == .secondFactor { return step.asking(oneOf: pending.types ?? [], chosen: answer?.chosen) }
      return step.challenge
    }
    switch (former.flow, answer?.content) {
    case (.passwordReset, .code(let code)) where status == 200:
      step.flow = .newPassword
      step.keep(code)
      return step.challenge
    case (_, .resend) where status == 200:
      step.sent += 1
      return step.challenge
    default: return nil
    }
  }

  private func refusal(of step: AllauthStep) -> AuthenticationError? {
    switch status {
    case 400: return body.errors?.lazy.compactMap { AuthenticationError(allauth: $0.code) }.first
    case 401 where meta?.is_authenticated == true:
      var error = AuthenticationError.recentSignInRequired
      error.challenge = AllauthStep(.reauthenticate).challenge
      return error
    case 401 where data?.pending == nil && step.session != nil && step.flow != .newPassword: return .signInExpired
    case 409: return [.loginByCode, .passwordReset].contains(step.flow) ? .codeExpired : .signInExpired
    case 410: return .signInExpired
    default: return nil
    }
  }

  /// The items of a list.
  static func list<Item: Decodable>(_ response: HTTPResponse) throws(AuthenticationError) -> [Item] {
    guard response.isJSON, let list = try? BoundedJSON.decode(AllauthList<Item>.self, from: response.body) else {
      throw .unexpectedResponse
    }
    return list.data
  }
}

extension ChallengeAnswer {
  fileprivate var chosen: String? { if case .choice(let id) = content { id } else { nil } }
}

extension Challenge.Kind {
  /// New recovery codes, to be written down: they are where the secret of an enrolment is; answered by an approval.
  static let recoveryCodes = Self(id: "recovery_codes")
}

extension AuthenticationError {
  init?(allauth code: String) {
    switch code {
    case "incorrect_code": self = .wrongCode
    case "username_password_mismatch", "email_password_mismatch", "phone_password_mismatch", "incorrect_password",
      "enter_current_password", "invalid_login":
      self = .invalidCredentials
    case "email_taken", "phone_taken", "username_taken": self = .accountExists
    case "too_many_login_attempts", "rate_limited": self = .tooManyAttempts
    case "account_inactive": self = .userDisabled
    case _ where code.hasPrefix("password_"): self = .weakPassword
    default: return nil
    }
  }
}
