import AuthenticationData
import AuthenticationDomain

extension CognitoAuthProvider: SignUpProvider {
  /// Creates the account: with a password, or with an address to which codes go.
  func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    guard methods.contains(credentials.method) else { throw .unsupportedMethod(credentials.method) }
    switch credentials {
    case let credentials as PasswordCredentials:
      return try await signUp(credentials.userName, credentials.password, with: [:])
    case let credentials as EmailCredentials where credentials.method == .emailCode:
      return try await signUp(credentials.address, nil, with: ["email": credentials.address], by: "EMAIL_OTP")
    case let credentials as PhoneCredentials:
      return try await signUp(
        credentials.phoneNumber, nil, with: ["phone_number": credentials.phoneNumber], by: "SMS_OTP")
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  private func signUp(
    _ name: String, _ password: Secret?, with own: [String: String], by preferred: String? = nil
  ) async throws(AuthenticationError) -> SignInOutcome {
    let supplied = service.attributes.map { (String($0.dropFirst(CognitoService.attributePrefix.count)), $1) }
    let attributes = own.merging(supplied) { $1 }
    var body: [String: JSONValue] = [
      "UserAttributes": .array(
        attributes.sorted { $0.key < $1.key }.map { ["Name": .string($0.key), "Value": .string($0.value)] })
    ]
    body["Password"] = password.map { .string($0.reveal()) }
    body["ClientMetadata"] = service.metadata
    let response = try await service.call("SignUp", for: name, body, .signIn)
    if response.members.flag("UserConfirmed") == true {
      if let password { return try await signIn(name, password) }
      if let preferred { return try await signIn(name, by: preferred) }
    }
    var handle = CognitoHandle(CognitoHandle.confirmation, of: name, session: response.members["Session"])
    handle.memory = password.map { secrets.keep($0, for: CognitoHandle.confirmation) }
    handle.preferred = preferred
    return .challenge(CognitoChallengeMapper.delivery(response.members.members("CodeDeliveryDetails"), handle))
  }

  /// The code that confirms a new account; then the sign-in goes on: by the session of the confirmation, by the password
  /// if it is still in memory, or by asking for it.
  func confirm(
    _ answer: ChallengeAnswer, _ handle: CognitoHandle
  ) async throws(AuthenticationError) -> SignInOutcome {
    let name = handle.userName
    switch answer.content {
    case .resend:
      let sent = try await service.call("ResendConfirmationCode", for: name, [:], .signIn)
      return .challenge(CognitoChallengeMapper.delivery(sent.members.members("CodeDeliveryDetails"), handle))
    case .code(let code):
      var body: [String: JSONValue] = ["ConfirmationCode": .string(code.reveal())]
      body["Session"] = handle.session.map(JSONValue.string)
      let confirmed = try await service.call("ConfirmSignUp", for: name, body, .signIn)
      if let session = confirmed.members["Session"] {
        return try await proceed(
          with: CognitoFlow(userName: name),
          service.initiate("USER_AUTH", for: name, ["USERNAME": name], session: session))
      }
      if let preferred = handle.preferred { return try await signIn(name, by: preferred) }
      if let password = secrets.secret(handle.memory, of: handle.step) {
        secrets.forget(handle.step)
        return try await signIn(name, password)
      }
      return .challenge(Challenge(kind: .password, handle: CognitoHandle(CognitoHandle.signIn, of: name).secret))
    default: throw .unanswerable
    }
  }
}
