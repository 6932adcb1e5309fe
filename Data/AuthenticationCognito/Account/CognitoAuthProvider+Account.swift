import AuthenticationData
import AuthenticationDomain

extension CognitoAuthProvider: AddressProvider, ProfileProvider, AccountDeletionProvider {
  func verify(_ address: AccountAddress, of session: AuthSession) async throws(AuthenticationError) -> AccountStep {
    let (name, value, current) =
      switch address {
      case .email(let email): ("email", email, session.user.email)
      case .phone(let number): ("phone_number", number, session.user.phoneNumber)
      }
    var handle = CognitoHandle(CognitoHandle.verification, of: session.user.cognitoName)
    handle.attribute = name
    if value == current { return .challenge(try await sendVerification(handle, session)) }
    let response = try await service.call(
      "UpdateUserAttributes", in: session, attributes([name: .string(value)]))
    guard let sent = response.members.list("CodeDeliveryDetailsList").first else { return .done }
    return .challenge(CognitoChallengeMapper.delivery(sent, handle))
  }

  func user(of session: AuthSession) async throws(AuthenticationError) -> User {
    try CognitoTokenMapper.user(CognitoTokenMapper.claims(ofAccount: await service.call("GetUser", in: session)))
  }

  /// Only texts can be changed: Cognito's attributes are texts.
  func update(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthenticationError) -> User {
    var changed = changes.claims.filter { $0.value.text != nil }
    changed["name"] = changes.name.map(JSONValue.string)
    changed["picture"] = changes.picture.map(JSONValue.string)
    changed["locale"] = changes.locale.map(JSONValue.string)
    try await service.call("UpdateUserAttributes", in: session, attributes(changed))
    return try await user(of: session)
  }

  func deleteAccount(of session: AuthSession) async throws(AuthenticationError) {
    try await service.call("DeleteUser", in: session)
  }

  func answer(
    _ answer: ChallengeAnswer, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountStep {
    let handle = try CognitoHandle(answer.challenge)
    if handle.step == CognitoHandle.reset {
      switch try await reset(answer, handle) {
      case .challenge(let challenge): return .challenge(challenge)
      case .password: return .done
      }
    }
    guard let session else { throw .notSignedIn }
    switch (handle.step, answer.content) {
    case (CognitoHandle.verification, .resend): return .challenge(try await sendVerification(handle, session))
    case (CognitoHandle.verification, .code(let code)):
      try await service.call(
        "VerifyUserAttribute", in: session,
        ["AttributeName": .string(handle.attribute ?? ""), "Code": .string(code.reveal())])
    case (CognitoHandle.enrolment, .code(let code)): try await enrolTOTP(code, session)
    case (CognitoHandle.registration, .passkey(let response)): try await register(response, session)
    default: throw .unanswerable
    }
    return .done
  }

  private func sendVerification(
    _ handle: CognitoHandle, _ session: AuthSession
  ) async throws(AuthenticationError) -> Challenge {
    let sent = try await service.call(
      "GetUserAttributeVerificationCode", in: session, ["AttributeName": .string(handle.attribute ?? "")])
    return CognitoChallengeMapper.delivery(sent.members.members("CodeDeliveryDetails"), handle)
  }

  private func attributes(_ attributes: [String: JSONValue]) -> [String: JSONValue] {
    [
      "UserAttributes": .array(
        attributes.sorted { $0.key < $1.key }.map { ["Name": .string($0.key), "Value": $0.value] })
    ]
  }
}
