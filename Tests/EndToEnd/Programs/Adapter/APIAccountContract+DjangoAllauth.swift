import AuthenticationAccount
import AuthenticationKit

extension APIAccountContract {
  static var djangoAllauth: APIAccountContract {
    var account = APIAccountContract()
    account.resetPassword = step { address throws(AuthenticationError) in
      APIRequest(.post, "auth/password/request", body: ["email": address])
    } from: {
      AllauthStep(.start, address: $0)
    }
    // allauth's JWTs name a session that ends with the old password: the next refresh signs out here as well.
    account.changePassword = step { change throws(AuthenticationError) in
      let passwords = ["current_password": change.old.reveal(), "new_password": change.new.reveal()]
      return APIRequest(.post, "account/password/change", body: passwords)
    }
    account.verify = APIAbility { address throws(AuthenticationError) in
      switch address {
      case .email(let email): APIRequest(.post, "account/email", body: ["email": email])
      case .phone(let number): APIRequest(.post, "account/phone", body: ["phone": number])
      }
    } outcome: { response, address throws(AuthenticationError) in
      if let asked = try AllauthResponse(response)?.next(after: AllauthStep(.start)) { return .challenge(asked) }
      guard response.isSuccess else { return nil }
      return switch address {
      case .email(let email): .challenge(AllauthStep(.verifyEmail, address: email).challenge)
      case .phone(let number): .challenge(AllauthStep(.verifyPhone, address: number).challenge)
      }
    }
    account.answer = APIAbility { answer throws(AuthenticationError) in
      try AllauthStep(answer).request(for: answer)
    } outcome: { response, answer throws(AuthenticationError) in
      let step = try AllauthStep(answer)
      if let asked = try AllauthResponse(response)?.next(after: step, answer) { return .challenge(asked) }
      // A new password signs no user in.
      return response.isSuccess || (response.status == 401 && step.flow == .newPassword) ? .done : nil
    }
    account.factors = list("account/authenticators") { (factors: [AllauthFactor]) in factors.map(\.value) }
    account.enrol = step { kind throws(AuthenticationError) in
      switch kind {
      case .oneTimePassword, .enrolment: APIRequest(.get, "account/authenticators/totp")
      case .passkey, .passkeyRegistration:
        APIRequest(.get, "account/authenticators/webauthn", query: ["passwordless": ""])
      case .recoveryCode: APIRequest(.post, "account/authenticators/recovery-codes", body: [String: String]())
      default: throw .unsupportedMethod(.challengeAnswer)
      }
    }
    account.removeFactor = ending { factor throws(AuthenticationError) in
      if factor.kind == .oneTimePassword { return APIRequest(.delete, "account/authenticators/totp") }
      guard let id = Int(factor.id) else { throw .lastMethod }
      return APIRequest(.delete, "account/authenticators/webauthn", body: ["authenticators": [id]])
    }
    account.sessions = list("auth/sessions") { (sessions: [AllauthSession]) in sessions.map(\.value) }
    account.endSession = ending { session throws(AuthenticationError) in
      APIRequest(.delete, "auth/sessions", body: ["sessions": [Int(session.id) ?? 0]])
    }
    return account
  }

  /// A service that is done, or goes on with a step.
  private static func step<Input: Sendable>(
    _ request: @escaping @Sendable (Input) throws(AuthenticationError) -> APIRequest,
    from step: @escaping @Sendable (Input) -> AllauthStep = { _ in AllauthStep(.start) }
  ) -> APIAbility<Input, AccountOutcome> {
    APIAbility(request: request) { response, input throws(AuthenticationError) in
      if let asked = try AllauthResponse(response)?.next(after: step(input)) { return .challenge(asked) }
      return response.isSuccess ? .done : nil
    }
  }

  private static func list<Item: Decodable & Sendable, Value: Sendable>(
    _ path: String, _ map: @escaping @Sendable ([Item]) -> [Value]
  ) -> APIAbility<Void, [Value]> {
    APIAbility { _ throws(AuthenticationError) in
      APIRequest(.get, path)
    } map: { response throws(AuthenticationError) in
      map(try AllauthResponse.list(response))
    }
  }

  private static func ending<Input: Sendable>(
    _ request: @escaping @Sendable (Input) throws(AuthenticationError) -> APIRequest
  ) -> APIAbility<Input, AccountOutcome> {
    APIAbility(request: request) { response, _ throws(AuthenticationError) in
      _ = try AllauthResponse(response)?.next(after: AllauthStep(.start))
      return response.isSuccess ? .done : nil
    }
  }
}
