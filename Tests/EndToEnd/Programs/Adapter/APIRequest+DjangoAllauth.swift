import AuthenticationKit

extension APIRequest {
  static func signIn(_ credentials: any Credentials) throws(AuthenticationError) -> APIRequest {
    switch credentials {
    case let password as PasswordCredentials:
      .init(.post, "auth/login", body: account(password), secrets: ["password": password.password])
    case let email as EmailCredentials: .init(.post, "auth/code/request", body: ["email": email.address])
    case let phone as PhoneCredentials: .init(.post, "auth/code/request", body: ["phone": phone.phoneNumber])
    case is PasskeyCredentials: .init(.get, "auth/webauthn/login")
    case let answer as ChallengeAnswer: try AllauthStep(answer).request(for: answer)
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  static func signUp(_ credentials: any Credentials) throws(AuthenticationError) -> APIRequest {
    guard let password = credentials as? PasswordCredentials else { throw .unsupportedMethod(credentials.method) }
    return .init(.post, "auth/signup", body: ["email": password.userName], secrets: ["password": password.password])
  }

  private static func account(_ credentials: PasswordCredentials) -> [String: String] {
    let name = credentials.userName
    return name.hasPrefix("+") ? ["phone": name] : name.contains("@") ? ["email": name] : ["username": name]
  }
}

extension AllauthStep {
  /// Which request answers which step.
  func request(for answer: ChallengeAnswer) throws(AuthenticationError) -> APIRequest {
    switch (flow, answer.content) {
    case (.verifyEmail, .code(let code)): post("auth/email/verify", ["key": code])
    case (.verifyEmail, .resend): post("auth/email/verify/resend")
    case (.verifyPhone, .code(let code)): post("auth/phone/verify", ["code": code])
    case (.verifyPhone, .resend): post("auth/phone/verify/resend")
    case (.loginByCode, .code(let code)): post("auth/code/confirm", ["code": code])
    case (.loginByCode, .resend): post("auth/code/request", addressed)
    case (.secondFactor, .code(let code)): post("auth/2fa/authenticate", ["code": code])
    case (.secondFactor, .choice("webauthn")): get("auth/webauthn/authenticate")
    case (.secondFactor, .choice): get("auth/session")
    case (.secondPasskey, .passkey(let json)): post("auth/webauthn/authenticate", credential: json)
    case (.passkey, .passkey(let json)): post("auth/webauthn/login", credential: json)
    case (.passwordReset, .code(let code)): get("auth/password/reset", ["X-Password-Reset-Key": code])
    case (.passwordReset, .resend): post("auth/password/request", addressed)
    case (.newPassword, .newPassword(let new)):
      post("auth/password/reset", ["key": try keptCode(), "password": new])
    case (.enrolTOTP, .code(let code)): post("account/authenticators/totp", ["code": code])
    case (.enrolPasskey, .passkey(let json)):
      post("account/authenticators/webauthn", ["name": Secret("Passkey")], credential: json)
    case (.recoveryCodes, .approval): get("account/authenticators")
    case (.reauthenticate, .newPassword(let password)): post("auth/reauthenticate", ["password": password])
    default: throw .unsupportedMethod(.challengeAnswer)
    }
  }

  private var addressed: [String: Secret] {
    guard let address else { return [:] }
    return [address.hasPrefix("+") ? "phone" : "email": Secret(address)]
  }

  private var headers: [String: Secret] { session.map { ["X-Session-Token": Secret($0)] } ?? [:] }

  private func get(_ path: String, _ headers: [String: Secret] = [:]) -> APIRequest {
    APIRequest(.get, path, headers: self.headers.merging(headers) { $1 })
  }

  private func post(_ path: String, _ members: [String: Secret] = [:], credential: Secret? = nil) -> APIRequest {
    let body = credential.map { ["credential": JSONValue(json: $0.reveal())] } ?? [:]
    return APIRequest(.post, path, body: body, secrets: members, headers: headers)
  }
}
