import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SupabaseAuthProvider: AccountChallengeProvider {
  func answer(
    _ answer: ChallengeAnswer, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountStep {
    let handle = try ChallengeHandle(answer.challenge)
    return switch handle.step {
    case SupabaseStep.name: try await self.answer(answer, handle, SupabaseStep(handle), session)
    case Self.factorStep: try await answerFactor(answer, handle, session)
    case Self.nonceStep: try await answerNonce(answer, handle, session)
    case Self.resetStep: try await reset(answer, handle)
    default: throw .challengeReplaced
    }
  }

  /// Sends a code or a link, and asks for it.
  func send(_ step: SupabaseStep) async throws(AuthenticationError) -> Challenge {
    let verifier = step.isLink ? CodeVerifier(random: randomBytes(32)) : nil
    let isSignIn = step.purpose == .signIn
    var body = step.address.member
    let path: String
    switch step.purpose {
    case .recovery: path = "recover"
    // The link of `resend` could not be bound to this device.
    case .signIn,
      .confirmation where step.isLink:
      path = "otp"
      body["create_user"] = .boolean(isSignIn && project.createsAccounts)
    default:
      path = "resend"
      body["type"] = .string(step.type)
    }
    _ = try await client.send(
      .post, path, query: redirect(for: verifier), SupabaseClient.protected(body.proving(verifier)))
    return challenge(step, verifier)
  }

  func challenge(
    _ step: SupabaseStep, _ verifier: CodeVerifier? = nil, password: String? = nil, canResend: Bool = true
  ) -> Challenge {
    Challenge(
      kind: step.kind, destination: step.address.text, handle: step.handle(verifier, password: password).secret,
      format: step.isLink ? nil : project.codeFormat, lifetime: step.address.isPhone ? .seconds(60) : .seconds(3_600),
      resendDelay: canResend ? .seconds(60) : nil)
  }

  func redirect(for verifier: CodeVerifier?) -> KeyValuePairs<String, String> {
    if verifier != nil, let redirectURL = project.redirectURL { ["redirect_to": redirectURL] } else { [:] }
  }

  // MARK: What was sent

  private func answer(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle, _ step: SupabaseStep, _ session: AuthSession?
  ) async throws(AuthenticationError) -> AccountStep {
    // Not after the code is spent.
    let password = try handle["password"].map(newPassword.body)
    let response: HTTPResponse
    switch answer.content {
    case .resend:
      guard step.purpose == .change else { return .challenge(try await send(step)) }
      guard let session else { throw .notSignedIn }
      return try await change(to: step.address, of: session, password: handle["password"])
    case .code(let code):
      let body = step.address.member.merging(["type": .string(step.type), "token": .string(code.reveal())]) { $1 }
      response = try await client.send(.post, "verify", body)
    case .link(let link): response = try await exchange(link, handle)
    default: throw .challengeReplaced
    }
    if step.purpose == .change, try JSONMembers(response)["access_token"] == nil, let former = session?.user.email {
      // The change must be confirmed from the former address as well, by what was sent there at the same time.
      let step = SupabaseStep(purpose: .change, address: .email(former), isLink: step.isLink)
      return .challenge(challenge(step, password: handle["password"], canResend: false))
    }
    let signedIn = try SupabaseSessionResponseMapper.map(
      response, isNew: step.purpose == .confirmation, receivedAt: client.clock.now)
    if step.purpose == .recovery { return .challenge(askForPassword(signedIn.session, after: step)) }
    if let password { return .session(try await setPassword(password, of: signedIn.session)) }
    return try await complete(signedIn).step
  }

  /// The link's code, which is worth nothing without the verifier of this device. A session in its fragment is not
  /// believed: it could be anybody's.
  private func exchange(_ link: URL, _ handle: ChallengeHandle) async throws(AuthenticationError) -> HTTPResponse {
    let items = URLComponents(url: link, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let value = { (name: String) in items.first { $0.name == name }?.value }
    if value("error_code") == "otp_expired" || value("error") != nil { throw .codeExpired }
    guard let code = value("code"), !code.isEmpty, let verifier = handle["verifier"] else { throw .invalidLink }
    return try await client.send(
      .post, "token", query: ["grant_type": "pkce"], ["auth_code": .string(code), "code_verifier": .string(verifier)])
  }
}

extension SignInOutcome {
  var step: AccountStep {
    switch self {
    case .session(let session): .session(session)
    case .challenge(let challenge): .challenge(challenge)
    }
  }
}
