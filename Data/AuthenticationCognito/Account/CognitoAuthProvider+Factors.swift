import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CognitoAuthProvider: FactorProvider {
  /// A factor that is on or off, by its name in `UserMFASettingList`.
  private struct Setting: Sendable {
    let name: String
    let kind: Challenge.Kind
    /// Its member in `SetUserMFAPreference`.
    let member: String
  }

  private static let settings = [
    Setting(name: "SOFTWARE_TOKEN_MFA", kind: .oneTimePassword, member: "SoftwareTokenMfaSettings"),
    Setting(name: "SMS_MFA", kind: .smsCode, member: "SMSMfaSettings"),
    Setting(name: "EMAIL_OTP", kind: .emailCode, member: "EmailMfaSettings"),
  ]

  func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    let names = try await service.call("GetUser", in: session).members.texts("UserMFASettingList")
    let factors = Self.settings.filter { names.contains($0.name) }.map { EnrolledFactor(id: $0.name, kind: $0.kind) }
    return try await factors + passkeys(of: session)
  }

  func enrol(_ kind: Challenge.Kind, for session: AuthSession) async throws(AuthenticationError) -> AccountStep {
    let name = session.user.cognitoName
    switch kind {
    case .oneTimePassword, .enrolment:
      let enrolment = try await service.call("AssociateSoftwareToken", in: session)
      return .challenge(
        CognitoChallengeMapper.enrolment(
          try enrolment.members.required("SecretCode"), CognitoHandle(CognitoHandle.enrolment, of: name),
          issuer: service.pool.name, lifetime: nil))
    case .passkey, .passkeyRegistration:
      let options = try await service.call("StartWebAuthnRegistration", in: session).members
        .members("CredentialCreationOptions")
      guard let options, let json = try? JSONEncoder().encode(options.values) else { throw .unexpectedAnswer }
      return .challenge(
        Challenge(
          kind: .passkeyRegistration, handle: CognitoHandle(CognitoHandle.registration, of: name).secret,
          passkeyRequest: Secret(String(decoding: json, as: UTF8.self))))
    default:
      guard let setting = Self.settings.first(where: { $0.kind == kind }) else { throw .unanswerable }
      try await set(setting, isEnabled: true, session)
      return .done
    }
  }

  @discardableResult
  func remove(
    _ factor: EnrolledFactor, of session: AuthSession
  ) async throws(AuthenticationError) -> AuthSession? {
    if let setting = Self.settings.first(where: { $0.name == factor.id }) {
      try await set(setting, isEnabled: false, session)
    } else {
      try await service.call("DeleteWebAuthnCredential", in: session, ["CredentialId": .string(factor.id)])
    }
    return nil
  }

  /// The first code of an authenticator app, which is asked for at the next sign-in.
  func enrolTOTP(_ code: Secret, _ session: AuthSession) async throws(AuthenticationError) {
    let verified = try await service.call(
      "VerifySoftwareToken", in: session, ["UserCode": .string(code.reveal())])
    guard verified.members["Status"] == "SUCCESS" else { throw .wrongCode }
    try await set(Self.settings[0], isEnabled: true, session)
  }

  /// A passkey that the authenticator has created.
  func register(_ response: Secret, _ session: AuthSession) async throws(AuthenticationError) {
    guard let members = JSONMembers(json: Data(response.reveal().utf8)) else { throw .unanswerable }
    try await service.call("CompleteWebAuthnRegistration", in: session, ["Credential": .object(members.values)])
  }

  private func set(
    _ setting: Setting, isEnabled: Bool, _ session: AuthSession
  ) async throws(AuthenticationError) {
    try await service.call(
      "SetUserMFAPreference", in: session,
      [setting.member: .object(["Enabled": .boolean(isEnabled), "PreferredMfa": .boolean(isEnabled)])])
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
      guard error.code == .clientRejected || error.code == .endpointMissing else { throw error }
      return []
    }
  }
}
