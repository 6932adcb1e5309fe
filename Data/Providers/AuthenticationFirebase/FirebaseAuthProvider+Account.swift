import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import Foundation

extension FirebaseAuthProvider: VendorAccountProvider {
  var accountAbilities: Set<AccountAbility> {
    [.resetPassword, .changePassword, .verify, .link, .factors, .delete, .profile]
  }

  func perform(_ request: AccountRequest, of session: AuthSession) async throws(AuthenticationError) -> AccountOutcome {
    var attempt = FirebaseAttempt(attributes: request.attributes)
    switch request.change {
    case .changePassword(let old, let new): return try await changePassword(from: old, to: new, of: session, attempt)
    case .verify(let address): return try await verify(address, of: session, attempt)
    case .link(let credentials):
      attempt.token = session.accessToken.value
      return AccountOutcome(try await open(credentials, attempt))
    case .unlink(let method): try await unlink(method, from: session)
    case .enrol(let kind): return try await enrol(kind, for: session)
    case .remove(let factor): return try await remove(factor, of: session)
    case .update(let changes): return try await update(changes, of: session)
    case .deleteAccount: try await deleteAccount(of: session, request.attributes["appleAuthorizationCode"])
    case .rename, .end, .resetPassword, .answer: throw .unsupportedChange(request.change)
    }
    return .done
  }

  func user(of session: AuthSession) async throws(AuthenticationError) -> User { try await lookUp(session).user }

  private func update(
    _ changes: ProfileChanges, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountOutcome {
    if changes.locale != nil || !changes.claims.isEmpty { throw .unknownProfileMember }
    _ = try await account(
      "v1/accounts:update",
      ["displayName": changes.name, "photoUrl": changes.picture, "returnSecureToken": false], session)
    return .session(AuthSession(user: try await user(of: session), tokens: session.tokens))
  }

  /// Signs in with the old password first, which Firebase also counts as the recent sign-in that it asks for. The old
  /// tokens no longer work afterwards.
  private func changePassword(
    from old: Secret, to new: Secret, of session: AuthSession, _ attempt: FirebaseAttempt
  ) async throws(AuthenticationError) -> AccountOutcome {
    guard let email = session.user.email else { throw .unsupportedMethod(.password) }
    let old = PasswordCredentials(userName: email, password: old)
    guard case .session(let fresh) = try await open(old, attempt) else { throw .recentSignInRequired }
    let response = try await account("v1/accounts:update", ["password": new, "returnSecureToken": true], fresh)
    return .session(try FirebaseSessionResponseMapper.session(response))
  }

  func linkedMethods(of session: AuthSession) async throws(AuthenticationError) -> [LinkedMethod] {
    try await lookUp(session).methods
  }

  private func unlink(_ method: LinkedMethod, from session: AuthSession) async throws(AuthenticationError) {
    if try await lookUp(session).methods.count < 2 { throw .lastMethod }
    _ = try await account("v1/accounts:update", ["deleteProvider": [method.id]], session)
  }

  /// Deletes the account. If the app supplied a fresh code of Apple (`appleAuthorizationCode`, see
  /// ``AccountRequest/attributes``), Apple's grant is revoked first, as App Store rule 5.1.1(v) asks.
  private func deleteAccount(of session: AuthSession, _ code: Secret?) async throws(AuthenticationError) {
    if let code {
      _ = try await account(
        "v2/accounts:revokeToken", ["providerId": "apple.com", "tokenType": "3", "token": code], session)
    }
    _ = try await account("v1/accounts:delete", [:], session)
  }

  func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    try await lookUp(session).factors
  }

  /// Enrols an authenticator app; Firebase asks for a verified address and a recent sign-in.
  private func enrol(
    _ kind: Challenge.Kind, for session: AuthSession
  ) async throws(AuthenticationError) -> AccountOutcome {
    guard [.enrolment, .oneTimePassword].contains(kind) else { throw .unsupportedMethod(.challengeAnswer) }
    let begun = try await account("v2/accounts/mfaEnrollment:start", ["totpEnrollmentInfo": [:] as JSONBody], session)
    guard let info = begun.members.members("totpSessionInfo"), let secret = info["sharedSecretKey"],
      let handle = info["sessionInfo"]
    else { throw .unexpectedResponse }
    let end = info["finalizeEnrollmentTime"].flatMap { try? Date($0, strategy: .iso8601) }
    return .challenge(
      Challenge(
        kind: .enrolment, handle: ChallengeHandle(AccountStepName.enrolment, ["session": handle]).secret,
        format: .digits(info.integer("verificationCodeLength", in: 4...12) ?? 6),
        lifetime: end.flatMap { Duration(seconds: $0.timeIntervalSince(service.clock.now), atMost: .seconds(86_400)) },
        enrolment: Challenge.Enrolment(secret: Secret(secret))))
  }

  /// Firebase returns tokens: the earlier ones may be invalid then.
  private func remove(
    _ factor: EnrolledFactor, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountOutcome {
    try refreshed(session, await account("v2/accounts/mfaEnrollment:withdraw", ["mfaEnrollmentId": factor.id], session))
  }

  /// The session with the tokens of a response that says nothing else about the user, if it has any.
  private func refreshed(
    _ session: AuthSession, _ response: VendorResponse
  ) throws(AuthenticationError) -> AccountOutcome {
    guard response.members["idToken"] != nil else { return .done }
    let tokens = try FirebaseSessionResponseMapper.session(response).tokens
    return .session(AuthSession(user: session.user, tokens: tokens))
  }

  private func lookUp(_ session: AuthSession) async throws(AuthenticationError) -> FirebaseUserResponseMapper {
    try FirebaseUserResponseMapper(try await account("v1/accounts:lookup", [:], session).members)
  }

  /// Calls an operation in the name of the signed-in user.
  private func account(
    _ operation: String, _ body: JSONBody, _ session: AuthSession
  ) async throws(AuthenticationError) -> VendorResponse {
    var body = body
    body["idToken"] = session.accessToken.value
    return try await service.call(operation, body, errors: FirebaseErrors.account)
  }
}

extension AuthenticationError {
  fileprivate static let unknownProfileMember = Self(
    .unsupportedMethod, "Firebase keeps a name and a picture of a user, and nothing else.",
    suggestion: "Keep the rest at the app's own backend.")
}

/// Which step of an account service a challenge belongs to.
private enum AccountStepName {
  static let reset = "reset"
  static let newPassword = "new-password"
  static let email = "account-email"
  static let phone = "account-phone"
  static let enrolment = "enrolment"
}

extension FirebaseAuthProvider {
  /// Sends a link. Without a ``FirebaseProject/continueURL`` it leads to Firebase's own page, which does the rest.
  func resetPassword(of account: String, _ attributes: Attributes) async throws(AuthenticationError) -> AccountOutcome {
    let url = service.project.continueURL
    do throws(AuthenticationError) {
      try await sendMail("PASSWORD_RESET", ["email": account], returningTo: url)
    } catch {
      // Whether there is such an account is not disclosed.
      guard error == .invalidCredentials else { throw error }
    }
    return url == nil ? .done : .challenge(Self.link(AccountStepName.reset, ["email": account]))
  }

  private func verify(
    _ address: AccountAddress, of session: AuthSession, _ attempt: FirebaseAttempt
  ) async throws(AuthenticationError) -> AccountOutcome {
    switch address {
    case .phone(let number): return .challenge(try await sendCode(to: number, attempt, AccountStepName.phone))
    case .email(let address):
      let isNew = session.user.email?.lowercased() != address.lowercased()
      try await sendMail(
        isNew ? "VERIFY_AND_CHANGE_EMAIL" : "VERIFY_EMAIL",
        ["idToken": session.accessToken.value, "newEmail": isNew ? address : nil],
        returningTo: service.project.continueURL, errors: FirebaseErrors.account)
      return service.project.continueURL == nil
        ? .done : .challenge(Self.link(AccountStepName.email, ["email": address]))
    }
  }

  func answer(
    _ answer: ChallengeAnswer, for session: AuthSession?, _ attributes: Attributes
  ) async throws(AuthenticationError) -> AccountOutcome {
    let attempt = FirebaseAttempt(attributes: attributes, token: session?.accessToken.value)
    let handle = try ChallengeHandle(answer.challenge)
    switch (handle.step, answer.content) {
    case (AccountStepName.reset, .resend):
      return try await resetPassword(
        of: try handle.required("email"), attributes)
    case (AccountStepName.reset, .link(let url)):
      let link = try FirebaseLink(url, apiKey: service.project.apiKey)
      guard link.mode == "resetPassword" else { throw .invalidLink }
      let reset = try await service.call("v1/accounts:resetPassword", ["oobCode": link.code])
      // A link for another account, sent by its owner, would make the user choose its password.
      guard reset.members["email"]?.lowercased() == (try handle.required("email").lowercased()) else {
        throw .invalidLink
      }
      let memory = secrets.keep(link.code, for: AccountStepName.newPassword)
      let next = ChallengeHandle(AccountStepName.newPassword, ["memory": memory, "email": handle["email"]])
      return .challenge(Challenge(kind: .newPassword, handle: next.secret))
    case (AccountStepName.newPassword, .newPassword(let password)):
      guard let code = secrets.secret(handle["memory"], of: AccountStepName.newPassword) else {
        // After a relaunch, a sign-in or a sign-out: the same link is good once more.
        return .challenge(Self.link(AccountStepName.reset, ["email": try handle.required("email")]))
      }
      _ = try await service.call("v1/accounts:resetPassword", ["oobCode": code, "newPassword": password])
      secrets.forget(AccountStepName.newPassword)
      return .done
    case (AccountStepName.email, .resend):
      guard let session else { throw .notSignedIn }
      return try await verify(.email(try handle.required("email")), of: session, attempt)
    case (AccountStepName.email, .link(let url)):
      let link = try FirebaseLink(url, apiKey: service.project.apiKey)
      guard link.mode.hasPrefix("verify") else { throw .invalidLink }
      _ = try await service.call("v1/accounts:update", ["oobCode": link.code], errors: FirebaseErrors.account)
      return .done
    default:
      guard let session else { throw .notSignedIn }
      return try await self.answer(answer, handle, of: session, attempt)
    }
  }

  /// Challenges that only a signed-in user can answer.
  private func answer(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle, of session: AuthSession, _ attempt: FirebaseAttempt
  ) async throws(AuthenticationError) -> AccountOutcome {
    switch (handle.step, answer.content) {
    case (AccountStepName.phone, .resend):
      return .challenge(try await sendCode(to: try handle.required("phone"), attempt, AccountStepName.phone))
    case (AccountStepName.phone, .code(let code)):
      let response = try await account(
        "v1/accounts:signInWithPhoneNumber",
        ["sessionInfo": try handle.required("session"), "code": code, "operation": "UPDATE"], session)
      if response.members["temporaryProof"] != nil { throw .alreadyLinked }
      guard response.members["idToken"] != nil else { return .done }
      return .session(try FirebaseSessionResponseMapper.session(response))
    case (AccountStepName.enrolment, .code(let code)):
      let verification: JSONBody = ["sessionInfo": try handle.required("session"), "verificationCode": code]
      return try refreshed(
        session, await account("v2/accounts/mfaEnrollment:finalize", ["totpVerificationInfo": verification], session))
    default:
      // The code or the link of a method that is being linked.
      return AccountOutcome(try await continueSignIn(answer, attempt))
    }
  }

  private static func link(_ step: String, _ fields: [String: String?]) -> Challenge {
    Challenge(kind: .link, handle: ChallengeHandle(step, fields).secret, resendDelay: .seconds(30))
  }
}
