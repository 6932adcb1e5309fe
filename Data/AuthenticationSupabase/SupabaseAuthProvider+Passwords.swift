import AuthenticationData
import AuthenticationDomain

extension SupabaseAuthProvider: PasswordResetProvider, PasswordChangeProvider {
  static let nonceStep = "nonce"
  static let resetStep = "reset"

  func resetPassword(of account: String) async throws(AuthenticationError) -> AccountStep {
    try EmailCredentials(address: account).validate()
    let step = SupabaseStep(purpose: .recovery, address: .email(account), isLink: project.confirmation == .link)
    return .challenge(try await send(step))
  }

  /// The code or the link of a forgotten password opens a session of its own, which sets the new one and ends. Its token
  /// is kept in memory alone: a step may be stored, and outlive a sign-out.
  func askForPassword(_ session: AuthSession, after step: SupabaseStep) -> Challenge {
    let handle = ChallengeHandle(
      Self.resetStep,
      [
        "memory": secrets.keep(session.accessToken.value, for: Self.resetStep), "address": step.address.text,
        "link": step.isLink ? "true" : nil,
      ])
    return Challenge(kind: .newPassword, handle: handle.secret, lifetime: session.accessToken.lifetime)
  }

  func reset(_ answer: ChallengeAnswer, _ handle: ChallengeHandle) async throws(AuthenticationError) -> AccountStep {
    guard case .newPassword(let password) = answer.content else { throw .challengeReplaced }
    guard let token = secrets.secret(handle["memory"], of: Self.resetStep) else {
      // After a relaunch, a sign-in or a sign-out: the code is spent, and another one is sent.
      let address = try SupabaseAddress(typed: handle.required("address"))
      return .challenge(
        try await send(SupabaseStep(purpose: .recovery, address: address, isLink: handle["link"] != nil)))
    }
    _ = try await client.send(.put, "user", as: token, ["password": .string(password.reveal())], errors: .factor)
    secrets.forget(Self.resetStep)
    _ = try? await client.send(.post, "logout", query: ["scope": "local"], as: token)
    return .done
  }

  /// Whether the old password is checked is the project's choice. If the project wants a code first, a challenge asks
  /// for it.
  func changePassword(
    from old: Secret, to new: Secret, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountStep {
    let id = newPassword.keep(new, replacing: old)
    do throws(AuthenticationError) {
      _ = try await setPassword(newPassword.body(id), of: session)
      return .done
    } catch {
      guard error.providerCode == "reauthentication_needed" else { throw error }
      return .challenge(try await askForNonce(ChallengeHandle(Self.nonceStep, ["password": id]), session))
    }
  }

  func setPassword(
    _ body: [String: JSONValue], of session: AuthSession
  ) async throws(AuthenticationError) -> AuthSession {
    let user = try await change(body, of: session)
    newPassword.forget()
    return AuthSession(user: user, tokens: session.tokens)
  }

  func answerNonce(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle, _ session: AuthSession?
  ) async throws(AuthenticationError) -> AccountStep {
    guard let session else { throw .notSignedIn }
    switch answer.content {
    case .resend: return .challenge(try await askForNonce(handle, session))
    case .code(let nonce):
      let body = try newPassword.body(handle.required("password"))
      _ = try await setPassword(body.merging(["nonce": .string(nonce.reveal())]) { $1 }, of: session)
      return .done
    default: throw .challengeReplaced
    }
  }

  private func askForNonce(
    _ handle: ChallengeHandle, _ session: AuthSession
  ) async throws(AuthenticationError) -> Challenge {
    _ = try await client.send(.get, "reauthenticate", as: session.accessToken.value, errors: .account)
    let email = session.user.email
    return Challenge(
      kind: email == nil ? .smsCode : .emailCode, destination: email ?? session.user.phoneNumber,
      handle: handle.secret, format: project.codeFormat, lifetime: .seconds(3_600), resendDelay: .seconds(60))
  }
}
