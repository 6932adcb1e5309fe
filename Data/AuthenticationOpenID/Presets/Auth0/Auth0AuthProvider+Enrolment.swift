import AuthenticationData
import AuthenticationDomain

/// The first second factor of an account that has none.
extension Auth0AuthProvider {
  /// Adds the first factor: an authenticator app, or the phone or address that the app gave as an attribute.
  func enrol(_ handle: ChallengeHandle) async throws(AuthenticationError) -> Challenge {
    let token = try handle.required("token")
    let (phone, email) = (SignInAttributes.current["phone_number"], SignInAttributes.current["email"])
    var body: [String: JSONValue] = ["authenticator_types": ["otp"]]
    if let phone {
      body = ["authenticator_types": ["oob"], "oob_channels": ["sms"], "phone_number": .string(phone.reveal())]
    } else if let email {
      body = ["authenticator_types": ["oob"], "oob_channels": ["email"], "email": .string(email.reveal())]
    }
    let members: JSONMembers
    do throws(AuthenticationError) {
      members = try JSONMembers(
        await send(try service.post("mfa/associate", headers: ["Authorization": "Bearer \(token)"], body)))
    } catch {
      guard error.code == .alreadyLinked else { throw error }
      return try await ask(nil, among: [], handle)
    }
    let codes = members.texts("recovery_codes").map(Secret.init)
    if !codes.isEmpty { await application.showRecoveryCodes(codes) }
    guard members["authenticator_type"] == "otp" else { return try outOfBand(members, nil, [], handle) }
    return Challenge(
      kind: .enrolment, handle: handle.at(Step.oneTimePassword).secret, format: .digits(6), lifetime: timeLeft(handle),
      enrolment: Challenge.Enrolment(
        secret: Secret(try members.required("secret")), uri: members.secret("barcode_uri")))
  }
}
