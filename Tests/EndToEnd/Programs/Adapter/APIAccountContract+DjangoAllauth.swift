import AuthenticationAccount
import AuthenticationKit

extension APIAccountContract {
  static var djangoAllauth: APIAccountContract {
    var account = APIAccountContract()
    account.abilities = [.profile, .resetPassword, .changePassword, .verify, .factors, .sessions]
    account.change = { change, _ throws(AuthenticationError) in try service(for: change) }
    account.factors = { _ in list("account/authenticators") { (factors: [AllauthFactor]) in factors.map(\.value) } }
    account.sessions = { _ in list("auth/sessions") { (sessions: [AllauthSession]) in sessions.map(\.value) } }
    return account
  }

  private static func service(
    for change: AccountChange
  ) throws(AuthenticationError) -> APIService<AccountOutcome>? {
    switch change {
    case .resetPassword(let address):
      return step(
        APIRequest(.post, "auth/password/request", body: ["email": address]), AllauthStep(.start, address: address))
    // allauth's JWTs name a session that ends with the old password: the next refresh signs out here as well.
    case .changePassword(let old, let new):
      let passwords = ["current_password": old.reveal(), "new_password": new.reveal()]
      return step(APIRequest(.post, "account/password/change", body: passwords))
    case .verify(.email(let email)):
      let step = AllauthStep(.verifyEmail, address: email)
      return verifying(APIRequest(.post, "account/email", body: ["email": email]), step)
    case .verify(.phone(let number)):
      let step = AllauthStep(.verifyPhone, address: number)
      return verifying(APIRequest(.post, "account/phone", body: ["phone": number]), step)
    case .answer(let answer):
      let step = try AllauthStep(answer)
      return APIService(try step.request(for: answer)) { response throws(AuthenticationError) in
        if let asked = try AllauthResponse(response)?.next(after: step, answer) { return .challenge(asked) }
        // A new password signs no user in.
        return response.isSuccess || (response.status == 401 && step.flow == .newPassword) ? .done : nil
      }
    case .enrol(.oneTimePassword), .enrol(.enrolment): return step(APIRequest(.get, "account/authenticators/totp"))
    case .enrol(.passkey), .enrol(.passkeyRegistration):
      return step(APIRequest(.get, "account/authenticators/webauthn", query: ["passwordless": ""]))
    case .enrol(.recoveryCode):
      return step(APIRequest(.post, "account/authenticators/recovery-codes", body: [String: String]()))
    case .remove(let factor) where factor.kind == .oneTimePassword:
      return ending(APIRequest(.delete, "account/authenticators/totp"))
    case .remove(let factor):
      guard let id = Int(factor.id) else { throw .lastMethod }
      return ending(APIRequest(.delete, "account/authenticators/webauthn", body: ["authenticators": [id]]))
    case .end(let session):
      return ending(APIRequest(.delete, "auth/sessions", body: ["sessions": [Int(session.id) ?? 0]]))
    default: return nil
    }
  }

  /// A service that is done, or continues with a step.
  private static func step(
    _ request: APIRequest, _ step: AllauthStep = AllauthStep(.start)
  ) -> APIService<AccountOutcome> {
    APIService(request) { response throws(AuthenticationError) in
      if let asked = try AllauthResponse(response)?.next(after: step) { return .challenge(asked) }
      return response.isSuccess ? .done : nil
    }
  }

  private static func verifying(_ request: APIRequest, _ step: AllauthStep) -> APIService<AccountOutcome> {
    APIService(request) { response throws(AuthenticationError) in
      if let asked = try AllauthResponse(response)?.next(after: AllauthStep(.start)) { return .challenge(asked) }
      return response.isSuccess ? .challenge(step.challenge) : nil
    }
  }

  private static func list<Item: Decodable & Sendable, Value: Sendable>(
    _ path: String, _ map: @escaping @Sendable ([Item]) -> [Value]
  ) -> APIService<[Value]> {
    APIService(
      APIRequest(.get, path),
      map: { response throws(AuthenticationError) in
        map(try AllauthResponse.list(response))
      })
  }

  private static func ending(_ request: APIRequest) -> APIService<AccountOutcome> {
    APIService(request) { response throws(AuthenticationError) in
      _ = try AllauthResponse(response)?.next(after: AllauthStep(.start))
      return response.isSuccess ? .done : nil
    }
  }
}
