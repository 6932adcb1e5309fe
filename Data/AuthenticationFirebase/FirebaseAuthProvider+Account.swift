import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FirebaseAuthProvider: ProfileProvider {
  func user(of session: AuthSession) async throws(AuthenticationError) -> User { try await lookUp(session).user }

  func update(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthenticationError) -> User {
    if changes.locale != nil || !changes.claims.isEmpty { throw .unknownProfileMember }
    _ = try await account(
      "v1/accounts:update",
      [
        "displayName": changes.name.map { .string($0) }, "photoUrl": changes.picture.map { .string($0) },
        "returnSecureToken": false,
      ], session)
    return try await user(of: session)
  }
}

extension FirebaseAuthProvider: PasswordChangeProvider {
  /// Signs in with the old password first, which Firebase also counts as the recent sign-in that it asks for. The old
  /// tokens no longer work afterwards.
  func changePassword(
    from old: Secret, to new: Secret, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountStep {
    guard let email = session.user.email else { throw .unsupportedMethod(.password) }
    let old = PasswordCredentials(userName: email, password: old)
    guard case .session(let fresh) = try await open(old, linkingTo: nil) else { throw .recentSignInRequired }
    let (body, response) = try await account(
      "v1/accounts:update", ["password": .string(new.reveal()), "returnSecureToken": true], fresh)
    return .session(try FirebaseSessionResponseMapper.session(body, response, receivedAt: service.clock.now))
  }
}

extension FirebaseAuthProvider: LinkingProvider {
  func linkedMethods(of session: AuthSession) async throws(AuthenticationError) -> [LinkedMethod] {
    try await lookUp(session).methods
  }

  func link(_ credentials: any Credentials, to session: AuthSession) async throws(AuthenticationError) -> AccountStep {
    switch try await open(credentials, linkingTo: session.accessToken.value) {
    case .session(let linked): return .session(linked)
    case .challenge(let challenge): return .challenge(challenge)
    }
  }

  func unlink(_ method: LinkedMethod, from session: AuthSession) async throws(AuthenticationError) {
    if try await lookUp(session).methods.count < 2 { throw .lastMethod }
    _ = try await account("v1/accounts:update", ["deleteProvider": [.string(method.id)]], session)
  }
}

extension FirebaseAuthProvider: AccountDeletionProvider {
  /// Deletes the account. If the app supplied a fresh code of Apple (`appleAuthorizationCode`, see
  /// ``SignInAttributes``), Apple's grant is revoked first, as App Store rule 5.1.1(v) asks.
  func deleteAccount(of session: AuthSession) async throws(AuthenticationError) {
    if let code = Self.attribute("appleAuthorizationCode") {
      _ = try await account(
        "v2/accounts:revokeToken", ["providerId": "apple.com", "tokenType": "3", "token": code], session)
    }
    _ = try await account("v1/accounts:delete", [:], session)
  }
}

extension FirebaseAuthProvider: FactorProvider {
  func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    try await lookUp(session).factors
  }

  /// Enrols an authenticator app; Firebase asks for a verified address and a recent sign-in.
  func enrol(_ kind: Challenge.Kind, for session: AuthSession) async throws(AuthenticationError) -> AccountStep {
    guard [.enrolment, .oneTimePassword].contains(kind) else { throw .unsupportedMethod(.challengeAnswer) }
    let (body, _) = try await account("v2/accounts/mfaEnrollment:start", ["totpEnrollmentInfo": [:]], session)
    guard let info = body.members("totpSessionInfo"), let secret = info["sharedSecretKey"],
      let handle = info["sessionInfo"]
    else { throw .unexpectedAnswer }
    let end = info["finalizeEnrollmentTime"].flatMap { try? Date($0, strategy: .iso8601) }
    return .challenge(
      Challenge(
        kind: .enrolment, handle: ChallengeHandle(AccountStepName.enrolment, ["session": handle]).secret,
        format: .digits(info.integer("verificationCodeLength", in: 4...12) ?? 6),
        lifetime: end.flatMap { Duration(seconds: $0.timeIntervalSince(service.clock.now), atMost: .seconds(86_400)) },
        enrolment: Challenge.Enrolment(secret: Secret(secret))))
  }

  /// Firebase answers with tokens: those from before may be dead then.
  func remove(
    _ factor: EnrolledFactor, of session: AuthSession
  ) async throws(AuthenticationError) -> AuthSession? {
    let (body, response) = try await account(
      "v2/accounts/mfaEnrollment:withdraw", ["mfaEnrollmentId": .string(factor.id)], session)
    return try renewed(session, body, response)
  }

  /// The session with the tokens of an answer that tells nothing else of the person; nil if it has none.
  func renewed(
    _ session: AuthSession, _ body: JSONMembers, _ response: HTTPResponse
  ) throws(AuthenticationError) -> AuthSession? {
    guard body["idToken"] != nil else { return nil }
    let mapped = try FirebaseSessionResponseMapper.session(body, response, receivedAt: service.clock.now)
    return AuthSession(user: session.user, tokens: mapped.tokens)
  }
}

extension FirebaseAuthProvider {
  func lookUp(_ session: AuthSession) async throws(AuthenticationError) -> FirebaseUserResponseMapper {
    try FirebaseUserResponseMapper(try await account("v1/accounts:lookup", [:], session).body)
  }

  /// Calls an operation in the name of the person who is signed in.
  func account(
    _ operation: String, _ body: [String: JSONValue?], _ session: AuthSession
  ) async throws(AuthenticationError) -> (body: JSONMembers, response: HTTPResponse) {
    var body = body
    body["idToken"] = .string(session.accessToken.value.reveal())
    return try await service.call(operation, body, errors: FirebaseErrors.account)
  }
}

extension AuthenticationError {
  fileprivate static let unknownProfileMember = Self(
    .unsupportedMethod, "Firebase keeps a name and a picture of a person, and nothing else.",
    suggestion: "Keep the rest at the app's own backend.")
}
