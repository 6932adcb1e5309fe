import AuthenticationAccount
import AuthenticationData
public import AuthenticationDomain
import Foundation

extension Challenge.Kind {
  /// A second factor by WebAuthn, as ``AuthenticationAccount/AccountChange/enrol(_:)`` adds it and
  /// ``AuthenticationAccount/AccountUseCase/factors()`` lists it: a separate passkey or security key, which no sign-in
  /// begins with. Its steps are of the kinds ``passkeyRegistration`` and ``passkey``.
  public static let webAuthn = Self(id: "webauthn")
}

/// Passkeys that a sign-in begins with. The service decides which domain may ask for one: its challenges name it.
extension SupabaseAuthProvider {
  static let passkeyStep = "passkey"
  static let registrationStep = "passkey-registration"

  func askForPasskey(_ attributes: Attributes) async throws(AuthenticationError) -> Challenge {
    try challenge(
      .passkey, Self.passkeyStep,
      await client.send(.post, "passkeys/authentication/options", ([:] as JSONBody).protected(by: attributes)))
  }

  func askToRegister(for session: AuthSession) async throws(AuthenticationError) -> Challenge {
    try challenge(
      .passkeyRegistration, Self.registrationStep,
      await client.send(
        .post, "passkeys/registration/options", as: session.accessToken.value, errors: .account))
  }

  /// A sign-in with a passkey is of the first level (`aal1`), so that a second factor is asked for after it.
  func answerPasskey(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle, _ session: AuthSession?, _ attributes: Attributes
  ) async throws(AuthenticationError) -> AccountOutcome {
    let registers = handle.step == Self.registrationStep
    if registers, session == nil { throw .notSignedIn }
    switch (answer.content, session) {
    case (.resend, let session?) where registers: return .challenge(try await askToRegister(for: session))
    case (.resend, _): return .challenge(try await askForPasskey(attributes))
    case (.passkey(let response), _):
      let id = try handle.required("challenge")
      let body: JSONBody = ["challenge_id": id, "credential": try JSONValue(of: response)]
      guard registers else {
        return AccountOutcome(try await complete(client.session("passkeys/authentication/verify", body)))
      }
      _ = try await client.send(
        .post, "passkeys/registration/verify", as: session?.accessToken.value, body, errors: .account)
      return .done
    default: throw .challengeReplaced
    }
  }

  /// `{"challenge_id", "options", "expires_at"}`. The same challenge is not signed twice: another answer takes another
  /// one.
  private func challenge(
    _ kind: Challenge.Kind, _ step: String, _ response: HTTPResponse
  ) throws(AuthenticationError) -> Challenge {
    let body = try JSONMembers(response)
    return try .passkey(
      kind, ChallengeHandle(step, ["challenge": body.required("challenge_id")]), options: body.members("options"))
  }

  /// None where the project has no passkeys.
  func passkeys(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    guard project.methods.contains(.passkey) else { return [] }
    let response = try await client.send(.get, "passkeys/", as: session.accessToken.value, errors: .account)
    guard response.isJSON, let list = try? BoundedJSON.decode([[String: JSONValue]].self, from: response.body) else {
      throw .unexpectedResponse
    }
    return list.map { JSONMembers($0) }.compactMap { passkey in
      passkey["id"].map {
        EnrolledFactor(
          id: $0, kind: .passkey, label: passkey["friendly_name"], createdAt: passkey.iso8601("created_at"))
      }
    }
  }
}

extension Challenge {
  /// - Parameter options: with or without `publicKey` around them.
  static func passkey(
    _ kind: Kind, _ handle: ChallengeHandle, options: JSONMembers?, choices: [Factor] = []
  ) throws(AuthenticationError) -> Self {
    guard let json = options?.json else { throw .unexpectedResponse }
    return Self(
      kind: kind, handle: handle.secret, lifetime: .seconds(300), resendDelay: .zero, choices: choices,
      passkeyRequest: Secret(String(decoding: json, as: UTF8.self)))
  }
}
