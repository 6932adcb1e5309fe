import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import Foundation

extension CognitoAuthProvider: VendorAccountProvider {
  /// Without the scope that all others take, only the reset works.
  var accountAbilities: Set<AccountAbility> {
    service.pool.hasAccountScope
      ? [.resetPassword, .changePassword, .verify, .factors, .delete, .profile] : [.resetPassword]
  }

  func perform(_ request: AccountRequest, of session: AuthSession) async throws(AuthenticationError) -> AccountOutcome {
    switch request.change {
    case .changePassword(let old, let new):
      try await service.call("ChangePassword", in: session, ["PreviousPassword": old, "ProposedPassword": new])
    case .verify(let address): return try await verify(address, of: session)
    case .enrol(let kind): return try await enrol(kind, for: session)
    case .remove(let factor): try await remove(factor, of: session)
    case .update(let changes): return try await update(changes, of: session)
    case .deleteAccount: try await service.call("DeleteUser", in: session)
    case .link, .unlink, .rename, .end, .resetPassword, .answer: throw .unsupportedChange(request.change)
    }
    return .done
  }

  private func verify(
    _ address: AccountAddress, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountOutcome {
    let (name, value, current) =
      switch address {
      case .email(let email): ("email", email, session.user.email)
      case .phone(let number): ("phone_number", number, session.user.phoneNumber)
      }
    var handle = ChallengeHandle(CognitoStep.verification, of: session.user.cognitoName)
    handle["attribute"] = name
    if value == current { return .challenge(try await sendVerification(handle, session)) }
    let response = try await service.call("UpdateUserAttributes", in: session, userAttributes([name: value]))
    guard let sent = response.members.list("CodeDeliveryDetailsList").first else { return .done }
    return .challenge(CognitoChallengeMapper.delivery(sent, handle))
  }

  func user(of session: AuthSession) async throws(AuthenticationError) -> User {
    try CognitoTokenMapper.user(CognitoTokenMapper.claims(ofAccount: await service.call("GetUser", in: session)))
  }

  /// Only texts can be changed: Cognito's attributes are texts.
  private func update(
    _ changes: ProfileChanges, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountOutcome {
    var changed = changes.claims.compactMapValues(\.text)
    (changed["name"], changed["picture"], changed["locale"]) = (changes.name, changes.picture, changes.locale)
    try await service.call("UpdateUserAttributes", in: session, userAttributes(changed))
    return .session(AuthSession(user: try await user(of: session), tokens: session.tokens))
  }

  func answer(
    _ answer: ChallengeAnswer, for session: AuthSession?, _ attributes: Attributes
  ) async throws(AuthenticationError) -> AccountOutcome {
    let handle = try ChallengeHandle(answer.challenge)
    if handle.step == CognitoStep.reset {
      return try await reset(answer, handle, attributes).map(AccountOutcome.challenge) ?? .done
    }
    guard let session else { throw .notSignedIn }
    switch (handle.step, answer.content) {
    case (CognitoStep.verification, .resend): return .challenge(try await sendVerification(handle, session))
    case (CognitoStep.verification, .code(let code)):
      try await service.call(
        "VerifyUserAttribute", in: session, ["AttributeName": handle["attribute"] ?? "", "Code": code])
    case (CognitoStep.enrolment, .code(let code)): try await enrolTOTP(code, session)
    case (CognitoStep.registration, .passkey(let response)): try await register(response, session)
    default: throw .unanswerable
    }
    return .done
  }

  private func sendVerification(
    _ handle: ChallengeHandle, _ session: AuthSession
  ) async throws(AuthenticationError) -> Challenge {
    let sent = try await service.call(
      "GetUserAttributeVerificationCode", in: session, ["AttributeName": handle["attribute"] ?? ""])
    return CognitoChallengeMapper.delivery(sent.members.members("CodeDeliveryDetails"), handle)
  }

  private func userAttributes(_ attributes: [String: String]) -> JSONBody {
    ["UserAttributes": attributes.sorted { $0.key < $1.key }.map { ["Name": $0.key, "Value": $0.value] }]
  }
}

extension CognitoAuthProvider {
  /// A factor that is on or off: its name in `UserMFASettingList`, and its member in `SetUserMFAPreference`.
  private typealias Setting = (name: String, kind: Challenge.Kind, member: String)

  private static let settings: [Setting] = [
    ("SOFTWARE_TOKEN_MFA", .oneTimePassword, "SoftwareTokenMfaSettings"), ("SMS_MFA", .smsCode, "SMSMfaSettings"),
    ("EMAIL_OTP", .emailCode, "EmailMfaSettings"),
  ]

  func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    let names = try await service.call("GetUser", in: session).members.texts("UserMFASettingList")
    let factors = Self.settings.filter { names.contains($0.name) }.map { EnrolledFactor(id: $0.name, kind: $0.kind) }
    return try await factors + passkeys(of: session)
  }

  private func enrol(
    _ kind: Challenge.Kind, for session: AuthSession
  ) async throws(AuthenticationError) -> AccountOutcome {
    let name = session.user.cognitoName
    switch kind {
    case .oneTimePassword, .enrolment:
      let enrolment = try await service.call("AssociateSoftwareToken", in: session)
      return .challenge(
        CognitoChallengeMapper.enrolment(
          try enrolment.members.required("SecretCode"), ChallengeHandle(CognitoStep.enrolment, of: name),
          issuer: service.pool.name, lifetime: nil))
    case .passkey, .passkeyRegistration:
      let options = try await service.call("StartWebAuthnRegistration", in: session).members
        .members("CredentialCreationOptions")
      guard let options, let json = try? JSONEncoder().encode(options.values) else { throw .unexpectedResponse }
      return .challenge(
        Challenge(
          kind: .passkeyRegistration, handle: ChallengeHandle(CognitoStep.registration, of: name).secret,
          passkeyRequest: Secret(String(decoding: json, as: UTF8.self))))
    default:
      guard let setting = Self.settings.first(where: { $0.kind == kind }) else { throw .unanswerable }
      try await set(setting, isEnabled: true, session)
      return .done
    }
  }

  private func remove(_ factor: EnrolledFactor, of session: AuthSession) async throws(AuthenticationError) {
    if let setting = Self.settings.first(where: { $0.name == factor.id }) {
      try await set(setting, isEnabled: false, session)
    } else {
      try await service.call("DeleteWebAuthnCredential", in: session, ["CredentialId": factor.id])
    }
  }

  /// The first code of an authenticator app, which is asked for at the next sign-in.
  func enrolTOTP(_ code: Secret, _ session: AuthSession) async throws(AuthenticationError) {
    let verified = try await service.call("VerifySoftwareToken", in: session, ["UserCode": code])
    guard verified.members["Status"] == "SUCCESS" else { throw .wrongCode }
    try await set(Self.settings[0], isEnabled: true, session)
  }

  /// A passkey that the authenticator has created.
  func register(_ response: Secret, _ session: AuthSession) async throws(AuthenticationError) {
    guard let members = JSONMembers(json: Data(response.reveal().utf8)) else { throw .unanswerable }
    try await service.call("CompleteWebAuthnRegistration", in: session, ["Credential": members.values])
  }

  private func set(_ setting: Setting, isEnabled: Bool, _ session: AuthSession) async throws(AuthenticationError) {
    try await service.call(
      "SetUserMFAPreference", in: session,
      [setting.member: ["Enabled": isEnabled, "PreferredMfa": isEnabled]])
  }

  /// The passkeys; none where the pool has not enabled them.
  private func passkeys(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    do throws(AuthenticationError) {
      return try await service.call("ListWebAuthnCredentials", in: session).members.list("Credentials").compactMap {
        credential in
        credential["CredentialId"].map { id in
          EnrolledFactor(
            id: id, kind: .passkey, label: credential["FriendlyCredentialName"],
            createdAt: credential.date("CreatedAt"))
        }
      }
    } catch {
      guard error == .clientRejected || error == .endpointMissing else { throw error }
      return []
    }
  }

  func resetPassword(of account: String, _ attributes: Attributes) async throws(AuthenticationError) -> AccountOutcome {
    .challenge(try await sendReset(ChallengeHandle(CognitoStep.reset, of: account), attributes))
  }

  /// The code first, then the new password: Cognito takes both at once, so that the code waits in memory. If it was
  /// wrong the user goes back to it by the challenge's choice.
  ///
  /// - Returns: the next challenge; nil once Cognito has accepted the new password.
  func reset(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle, _ attributes: Attributes
  ) async throws(AuthenticationError) -> Challenge? {
    var handle = handle
    switch answer.content {
    case .resend: return try await sendReset(handle, attributes)
    case .code(let code):
      handle["memory"] = secrets.keep(code, for: handle.step)
      return Challenge(
        kind: .newPassword, handle: handle.secret,
        choices: [Challenge.Factor(id: "code", kind: .confirmation, destination: answer.challenge.destination)])
    case .newPassword(let password):
      guard let code = secrets.secret(handle["memory"], of: handle.step) else { fallthrough }
      try await service.call(
        "ConfirmForgotPassword", for: handle.userName, ["ConfirmationCode": code, "Password": password], .account)
      secrets.forget(handle.step)
      return nil
    case .choice:
      handle["memory"] = nil
      return CognitoChallengeMapper.delivery(nil, handle)
    default: throw .unanswerable
    }
  }

  /// Sends a code; that there is no such account is not said.
  private func sendReset(
    _ handle: ChallengeHandle, _ attributes: Attributes
  ) async throws(AuthenticationError) -> Challenge {
    var handle = handle
    handle["memory"] = nil
    do throws(AuthenticationError) {
      let sent = try await service.call(
        "ForgotPassword", for: handle.userName, ["ClientMetadata": attributes.clientMetadata], .account)
      return CognitoChallengeMapper.delivery(sent.members.members("CodeDeliveryDetails"), handle)
    } catch {
      guard error.providerCode == "UserNotFoundException" else { throw error }
      return CognitoChallengeMapper.delivery(JSONMembers([:]), handle)
    }
  }

  /// Creates the account: with a password, or with an address to which codes go.
  func signUp(
    _ credentials: any Credentials, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    guard methods.contains(credentials.method) else { throw .unsupportedMethod(credentials.method) }
    switch credentials {
    case let credentials as PasswordCredentials:
      return try await signUp(credentials.userName, credentials.password, with: [:], attributes)
    case let credentials as EmailCredentials where credentials.method == .emailCode:
      return try await signUp(
        credentials.address, nil, with: ["email": credentials.address], by: "EMAIL_OTP", attributes)
    case let credentials as PhoneCredentials:
      return try await signUp(
        credentials.phoneNumber, nil, with: ["phone_number": credentials.phoneNumber], by: "SMS_OTP",
        attributes)
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  private func signUp(
    _ name: String, _ password: Secret?, with own: [String: String], by preferred: String? = nil,
    _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let supplied = attributes.ofAccount.map { (String($0.dropFirst(Attributes.accountPrefix.count)), $1.reveal()) }
    let body: JSONBody = ["Password": password, "ClientMetadata": attributes.clientMetadata]
    let account = userAttributes(own.merging(supplied) { $1 })
    let response = try await service.call("SignUp", for: name, body.adding(account), .signIn)
    if response.members.flag("UserConfirmed") == true {
      if let password { return try await signIn(name, password, attributes) }
      if let preferred { return try await signIn(name, by: preferred, attributes) }
    }
    var handle = ChallengeHandle(CognitoStep.confirmation, of: name, session: response.members["Session"])
    handle["memory"] = password.map { secrets.keep($0, for: CognitoStep.confirmation) }
    handle["preferred"] = preferred
    return .challenge(CognitoChallengeMapper.delivery(response.members.members("CodeDeliveryDetails"), handle))
  }

  /// The code that confirms a new account; then the sign-in continues: by the session of the confirmation, by the
  /// password if it is still in memory, or by asking for it.
  func confirm(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let name = handle.userName
    switch answer.content {
    case .resend:
      let sent = try await service.call("ResendConfirmationCode", for: name, [:], .signIn)
      return .challenge(CognitoChallengeMapper.delivery(sent.members.members("CodeDeliveryDetails"), handle))
    case .code(let code):
      let confirmed = try await service.call(
        "ConfirmSignUp", for: name, ["ConfirmationCode": code, "Session": handle["session"]], .signIn)
      if let session = confirmed.members["Session"] {
        let flow = CognitoFlow(userName: name, attributes: attributes)
        return try await proceed(
          with: flow, service.initiate("USER_AUTH", in: flow, ["USERNAME": name], session: session))
      }
      if let preferred = handle["preferred"] { return try await signIn(name, by: preferred, attributes) }
      if let password = secrets.secret(handle["memory"], of: handle.step) {
        secrets.forget(handle.step)
        return try await signIn(name, password, attributes)
      }
      return .challenge(Challenge(kind: .password, handle: ChallengeHandle(CognitoStep.signIn, of: name).secret))
    default: throw .unanswerable
    }
  }
}
