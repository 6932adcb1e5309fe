import AuthenticationData
public import AuthenticationDomain
import Foundation

/// Maps the service's challenge to a ``Challenge``.
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
    "PASSWORD": Text(kind: .password, answer: "PASSWORD"), "PASSWORD_SRP": Text(kind: .password, answer: "SRP_A"),
    "MFA_SETUP": Text(kind: .emailAddress, answer: "EMAIL"), "WEB_AUTHN": Text(kind: .passkey, answer: "CREDENTIAL"),
  ]

  /// How long to wait before another code is asked for: Cognito has a quota, and does not tell it.
  static let resendDelay: Duration = .seconds(30)

  /// - Throws: ``AuthenticationError/unexpectedResponse`` with the challenge's name as its provider code, for one that
  ///   is not known.
  static func map(
    _ name: String, _ response: VendorResponse, _ handle: ChallengeHandle, lifetime: Duration
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
        format: text.format, lifetime: lifetime, resendDelay: handle["preferred"] == nil ? nil : resendDelay,
        passkeyRequest: name == "WEB_AUTHN" ? Secret(try parameters.required("CREDENTIAL_REQUEST_OPTIONS")) : nil)
    }
  }

  /// An authenticator app that is enrolled.
  static func enrolment(
    _ secret: String, _ handle: ChallengeHandle, issuer: String, lifetime: Duration?
  ) -> Challenge {
    let label = [issuer, handle.userName].map { FormBody.encode($0).replacing("+", with: "%20") }
    let uri = "otpauth://totp/\(label[0]):\(label[1])?secret=\(secret)&issuer=\(label[0])"
    return Challenge(
      kind: .enrolment, handle: handle.secret, format: .digits(6), lifetime: lifetime,
      enrolment: Challenge.Enrolment(secret: Secret(secret), uri: Secret(uri)))
  }

  /// A code that was sent: `CodeDeliveryDetails`.
  static func delivery(_ details: JSONMembers?, _ handle: ChallengeHandle) -> Challenge {
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
    Self(
      .unexpectedResponse, "Cognito asks for a step that this adapter does not know.",
      suggestion: "See the error's providerCode."
    ).with(\.providerCode, HTTPErrorMapper.plainToken(name))
  }

  /// An answer of another sort than the one that was asked for.
  static let unanswerable = Self(
    .invalidRequest, "This does not answer the challenge; nothing was sent.",
    suggestion: "See the challenge's kind for what it takes.")
}

/// The steps that are ours: they have no challenge name.
enum CognitoStep {
  static let confirmation = "confirm-sign-up"
  static let reset = "reset"
  static let signIn = "sign-in"
  static let verification = "verify"
  static let enrolment = "enrol"
  static let registration = "register"
}

/// The data of a step that its answer needs: `user`, whose it is; `typed`, the typed name where the service has another
/// one; `session`, the newest `Session`; `choice`, the one that was chosen among several challenges; `preferred`, the
/// challenge that was asked for at the beginning, to ask for it again; `memory`, where to find a password or a code in
/// this process's memory; `attribute`, the one that is verified.
extension ChallengeHandle {
  /// - Parameters:
  ///   - step: the challenge name, or one of ours.
  ///   - userName: the newest name that the service used.
  init(_ step: String, of userName: String, session: String? = nil) {
    self.init(step, ["user": userName, "session": session])
  }

  var userName: String { self["user"] ?? "" }

  var parameters: [String: String] {
    get { self["parameters"].flatMap { try? BoundedJSON.decode([String: String].self, from: Data($0.utf8)) } ?? [:] }
    set { self["parameters"] = (try? JSONEncoder().encode(newValue)).map { String(decoding: $0, as: UTF8.self) } }
  }
}

extension SignInMethod {
  /// A password that is sent as it is (`USER_PASSWORD_AUTH`); see ``CognitoCredentials``.
  public static let plainPassword = Self(
    id: "password-plain", displayName: "User name and password", needs: [.userName, .password])
  /// The challenge of the pool's triggers (`CUSTOM_AUTH`); see ``CognitoCredentials``.
  public static let customChallenge = Self(id: "custom-challenge", displayName: "User name", needs: [.userName])
}

extension Challenge.Kind {
  /// The answer to a pool's trigger, given as a code; see ``Challenge/cognitoParameters``.
  public static let custom = Self(id: "custom")
  /// An e-mail address for codes, given as a code.
  public static let emailAddress = Self(id: "email_address")
}

extension Challenge {
  /// Cognito's parameters of a custom challenge, or of one for a new password: `requiredAttributes`, for example.
  public var cognitoParameters: [String: String] { (try? ChallengeHandle(self))?.parameters ?? [:] }
}

extension SignInProcess {
  /// The forms of the methods that only Cognito has.
  static func cognitoForms(for methods: [SignInMethod]) -> [SignInProcess] {
    methods.filter { $0 == .plainPassword || $0 == .customChallenge }.map { method in
      SignInProcess(method) { context throws(AuthenticationError) in
        CognitoCredentials(
          userName: context.input[.userName].reveal(),
          password: method == .plainPassword ? context.input[.password] : nil, method: method)
      }
    }
  }
}
