import AuthenticationData
import AuthenticationDomain

extension CognitoAuthProvider: PasswordResetProvider, PasswordChangeProvider {
  /// What an answer to a reset comes to.
  enum Reset: Sendable {
    case challenge(Challenge)
    /// The new password, which Cognito has accepted.
    case password(Secret)
  }

  func resetPassword(of account: String) async throws(AuthenticationError) -> AccountStep {
    .challenge(try await sendReset(CognitoHandle(CognitoHandle.reset, of: account)))
  }

  func changePassword(
    from old: Secret, to new: Secret, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountStep {
    try await service.call(
      "ChangePassword", in: session,
      ["PreviousPassword": .string(old.reveal()), "ProposedPassword": .string(new.reveal())])
    return .done
  }

  /// The code first, then the new password: Cognito takes both at once, so that the code waits in memory. If it was
  /// wrong the person goes back to it by the challenge's choice.
  func reset(_ answer: ChallengeAnswer, _ handle: CognitoHandle) async throws(AuthenticationError) -> Reset {
    var handle = handle
    switch answer.content {
    case .resend: return .challenge(try await sendReset(handle))
    case .code(let code):
      handle.memory = secrets.keep(code, for: handle.step)
      return .challenge(
        Challenge(
          kind: .newPassword, handle: handle.secret,
          choices: [Challenge.Factor(id: "code", kind: .confirmation, destination: answer.challenge.destination)]))
    case .newPassword(let password):
      guard let code = secrets.secret(handle.memory, of: handle.step) else { fallthrough }
      try await service.call(
        "ConfirmForgotPassword", for: handle.userName,
        ["ConfirmationCode": .string(code.reveal()), "Password": .string(password.reveal())], .account)
      secrets.forget(handle.step)
      return .password(password)
    case .choice:
      handle.memory = nil
      return .challenge(CognitoChallengeMapper.delivery(nil, handle))
    default: throw .unanswerable
    }
  }

  /// Sends a code; that there is no such account is not said.
  private func sendReset(_ handle: CognitoHandle) async throws(AuthenticationError) -> Challenge {
    var handle = handle
    handle.memory = nil
    var body: [String: JSONValue] = [:]
    body["ClientMetadata"] = service.metadata
    do throws(AuthenticationError) {
      let sent = try await service.call("ForgotPassword", for: handle.userName, body, .account)
      return CognitoChallengeMapper.delivery(sent.members.members("CodeDeliveryDetails"), handle)
    } catch {
      guard error.providerCode == "UserNotFoundException" else { throw error }
      return CognitoChallengeMapper.delivery(JSONMembers([:]), handle)
    }
  }
}
