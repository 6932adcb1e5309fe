import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Maps what the service asks for to a ``Challenge``.
enum CognitoChallengeMapper {
  /// A challenge that is answered by a text.
  struct Text: Sendable {
    let kind: Challenge.Kind
    /// The name of the answer.
    let answer: String
    var format: CodeFormat?
  }

  static let texts: [String: Text] = [
    "SMS_MFA": Text(kind: .smsCode, answer: "SMS_MFA_CODE", format: .digits(6)),
    "SMS_OTP": Text(kind: .smsCode, answer: "SMS_OTP_CODE", format: CodeFormat(length: 6...8)),
    "EMAIL_OTP": Text(kind: .emailCode, answer: "EMAIL_OTP_CODE", format: CodeFormat(length: 6...8)),
    "EMAIL_MFA": Text(kind: .emailCode, answer: "EMAIL_MFA_CODE", format: CodeFormat(length: 6...8)),
    "SOFTWARE_TOKEN_MFA": Text(kind: .oneTimePassword, answer: "SOFTWARE_TOKEN_MFA_CODE", format: .digits(6)),
    "CUSTOM_CHALLENGE": Text(kind: .custom, answer: "ANSWER"),
    "NEW_PASSWORD_REQUIRED": Text(kind: .newPassword, answer: "NEW_PASSWORD"),
    "PASSWORD": Text(kind: .password, answer: "PASSWORD"),
    "PASSWORD_SRP": Text(kind: .password, answer: "SRP_A"),
    "MFA_SETUP": Text(kind: .emailAddress, answer: "EMAIL"),
    "WEB_AUTHN": Text(kind: .passkey, answer: "CREDENTIAL"),
  ]

  /// How long to wait before another code is asked for: Cognito has a quota, and does not tell it.
  static let resendDelay: Duration = .seconds(30)

  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer`` with the challenge's name as its provider code, for one that
  ///   is not known.
  static func map(
    _ name: String, _ response: CognitoResponse, _ handle: CognitoHandle, lifetime: Duration
  ) throws(AuthenticationError) -> Challenge {
    let parameters = response.parameters
    var handle = handle
    switch name {
    case "SELECT_MFA_TYPE", "SELECT_CHALLENGE":
      let offered =
        name == "SELECT_CHALLENGE"
        ? response.members.texts("AvailableChallenges") : texts(in: parameters, "MFAS_CAN_CHOOSE")
      // The password itself is not sent where the proof of it is accepted.
      let choices = offered.filter { $0 != "PASSWORD" || !offered.contains("PASSWORD_SRP") }.compactMap { id in
        texts[id].map { Challenge.Factor(id: id, kind: $0.kind) }
      }
      guard !choices.isEmpty else { throw .unknownChallenge(name) }
      return Challenge(kind: .choice, handle: handle.secret, lifetime: lifetime, choices: choices)
    default:
      guard let text = texts[name] else { throw .unknownChallenge(name) }
      if text.kind == .custom || text.kind == .newPassword {
        handle.parameters = parameters.values.compactMapValues(\.text)
      }
      return Challenge(
        kind: text.kind, destination: parameters["CODE_DELIVERY_DESTINATION"], handle: handle.secret,
        format: text.format, lifetime: lifetime, resendDelay: handle.preferred == nil ? nil : resendDelay,
        passkeyRequest: name == "WEB_AUTHN" ? Secret(try parameters.required("CREDENTIAL_REQUEST_OPTIONS")) : nil)
    }
  }

  /// An authenticator app that is enrolled.
  static func enrolment(
    _ secret: String, _ handle: CognitoHandle, issuer: String, lifetime: Duration?
  ) -> Challenge {
    let label = [issuer, handle.userName].map { FormBody.encode($0).replacing("+", with: "%20") }
    let uri = "otpauth://totp/\(label[0]):\(label[1])?secret=\(secret)&issuer=\(label[0])"
    return Challenge(
      kind: .enrolment, handle: handle.secret, format: .digits(6), lifetime: lifetime,
      enrolment: Challenge.Enrolment(secret: Secret(secret), uri: Secret(uri)))
  }

  /// A code that was sent: `CodeDeliveryDetails`.
  static func delivery(_ details: JSONMembers?, _ handle: CognitoHandle) -> Challenge {
    Challenge(
      kind: .confirmation, destination: details?["Destination"], handle: handle.secret, format: .digits(6),
      resendDelay: details == nil ? .zero : resendDelay)
  }

  /// A list, which the service writes as JSON in a text.
  static func texts(in parameters: JSONMembers, _ name: String) -> [String] {
    guard let text = parameters[name] else { return parameters.texts(name) }
    return (try? BoundedJSON.decode([String].self, from: Data(text.utf8))) ?? []
  }
}

extension AuthenticationError {
  static func unknownChallenge(_ name: String) -> Self {
    var error = Self(
      .unexpectedAnswer, "Cognito asks for a step that this adapter does not know.",
      suggestion: "See the error's providerCode.")
    error.providerCode = VendorErrorMapper.sanitized(name)
    return error
  }

  /// An answer of another sort than the one that was asked for.
  static let unanswerable = Self(
    .invalidRequest, "This does not answer the challenge; nothing was sent.",
    suggestion: "See the challenge's kind for what it takes.")
}
