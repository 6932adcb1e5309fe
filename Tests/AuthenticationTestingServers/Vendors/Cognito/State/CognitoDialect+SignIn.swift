#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension CognitoDialect {
  mutating func initiate(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let parameters = try texts(body, "AuthParameters")
    let flow = try body.text("AuthFlow")
    if flow == "REFRESH_TOKEN_AUTH" {
      if options.rotatesRefreshTokens {
        throw .cognito("NotAuthorizedException", "Refresh token rotation is enabled for the client.")
      }
      return try refresh(parameters["REFRESH_TOKEN"], now)
    }
    guard let name = parameters["USERNAME"] else { throw .cognito("InvalidParameterException") }
    switch flow {
    case "USER_PASSWORD_AUTH":
      return afterFirstFactor(try account(name, password: parameters["PASSWORD"]), now)
    case "USER_AUTH":
      guard let account = self.account(named: name) else { throw .cognitoCredentials }
      if account.isDisabled { throw .cognito("NotAuthorizedException", "User is disabled.") }
      switch parameters["PREFERRED_CHALLENGE"] {
      case "EMAIL_OTP"? where account.email != nil: return ask("EMAIL_OTP", of: account, at: account.email, now)
      case "SMS_OTP"? where account.phone != nil: return ask("SMS_OTP", of: account, at: account.phone, now)
      default: throw .cognito("InvalidParameterException")
      }
    default:
      throw .cognito("InvalidParameterException", "\(flow ?? "") is not enabled for the client.")
    }
  }

  func texts(_ body: VendorMembers, _ name: String) throws(VendorRefusal) -> [String: String] {
    let members = try body.object(name) ?? [:]
    let texts = members.compactMapValues(\.text)
    guard texts.count == members.count else { throw body.refusal }
    return texts
  }

  /// The user name, or an address.
  func account(named name: String) -> CognitoAccount? {
    accounts[name] ?? accounts.values.first { [$0.email, $0.phone, $0.subject].contains(name) }
  }

  func account(_ name: String, password: String?) throws(VendorRefusal) -> CognitoAccount {
    guard let account = self.account(named: name), account.password != nil, account.password == password else {
      throw .cognitoCredentials
    }
    if account.isDisabled { throw .cognito("NotAuthorizedException", "User is disabled.") }
    if !account.isConfirmed { throw .cognito("UserNotConfirmedException", "User is not confirmed.") }
    return account
  }

  private mutating func afterFirstFactor(_ account: CognitoAccount, _ now: Date) -> [String: JSONValue] {
    if account.mustChangePassword {
      return ask(
        "NEW_PASSWORD_REQUIRED", of: account, now, with: ["userAttributes": "{}", "requiredAttributes": "[]"])
    }
    switch (account.factorSecret != nil, account.hasPhoneFactor) {
    case (true, true):
      return ask(
        "SELECT_MFA_TYPE", of: account, now, with: ["MFAS_CAN_CHOOSE": #"["SMS_MFA","SOFTWARE_TOKEN_MFA"]"#])
    case (true, false): return ask("SOFTWARE_TOKEN_MFA", of: account, now, with: ["FRIENDLY_DEVICE_NAME": "App"])
    case (false, true): return ask("SMS_MFA", of: account, at: account.phone, now)
    case (false, false): return signedIn(account, now)
    }
  }

  /// Asks for a step; with an address a code is sent there.
  private mutating func ask(
    _ challenge: String, of account: CognitoAccount, at address: String? = nil, _ now: Date,
    with parameters: [String: JSONValue] = [:]
  ) -> [String: JSONValue] {
    let session = "session-" + OpaqueToken.make()
    var step = CognitoStep(
      userName: account.userName, challenge: challenge,
      expiresAt: now.addingTimeInterval(options.stepLifetime / .seconds(1)))
    var parameters = parameters
    parameters["USER_ID_FOR_SRP"] = .string(account.userName)
    if let address {
      step.code = send(to: address, length: challenge.hasSuffix("OTP") ? 8 : 6)
      parameters["CODE_DELIVERY_DELIVERY_MEDIUM"] = address.contains("@") ? "EMAIL" : "SMS"
      parameters["CODE_DELIVERY_DESTINATION"] = .string("\(address.prefix(1))***")
    }
    steps[session] = step
    return [
      "ChallengeName": .string(challenge), "ChallengeParameters": .object(parameters), "Session": .string(session),
    ]
  }

  mutating func send(to address: String, length: Int = 6) -> String {
    let code = Digits.code(messages.count + 1, length: length)
    messages.append(.init(address: address, code: code))
    return code
  }

  mutating func respond(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let responses = try texts(body, "ChallengeResponses")
    let challenge = try body.text("ChallengeName")
    guard let session = try body.text("Session"), let step = steps[session], step.challenge == challenge,
      now < step.expiresAt, var account = accounts[step.userName],
      account.userName == responses["USERNAME"].flatMap({ self.account(named: $0) })?.userName
    else { throw .cognitoSession }
    switch step.challenge {
    case "NEW_PASSWORD_REQUIRED":
      account.password = try Self.checked(responses["NEW_PASSWORD"])
      account.mustChangePassword = false
      accounts[account.userName] = account
      steps[session] = nil
      return afterFirstFactor(account, now)
    case "SELECT_MFA_TYPE":
      steps[session] = nil
      return responses["ANSWER"] == "SMS_MFA"
        ? ask("SMS_MFA", of: account, at: account.phone, now) : ask("SOFTWARE_TOKEN_MFA", of: account, now)
    case "SOFTWARE_TOKEN_MFA":
      guard let secret = account.factorSecret, let code = responses["SOFTWARE_TOKEN_MFA_CODE"],
        let used = OneTimePassword.step(of: code, secret: secret, at: now), account.lastStep.map({ used > $0 }) ?? true
      else { throw .cognito("CodeMismatchException") }
      accounts[account.userName]?.lastStep = used
    default:
      guard responses["\(step.challenge)_CODE"] == step.code else { throw .cognito("CodeMismatchException") }
    }
    steps[session] = nil
    return signedIn(account, now)
  }
}
#endif
