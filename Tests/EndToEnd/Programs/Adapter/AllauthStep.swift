import AuthenticationKit
import Foundation
import Synchronization

/// The content of a challenge's handle: where its answer goes, and allauth's session of the attempt.
struct AllauthStep: Codable {
  /// By allauth's ids, as far as it has one.
  enum Flow: String, Codable {
    case start
    case verifyEmail = "verify_email"
    case verifyPhone = "verify_phone"
    case loginByCode = "login_by_code"
    case secondFactor = "mfa_authenticate"
    case passwordReset = "password_reset_by_code"
    case secondPasskey, passkey, newPassword, enrolTOTP, enrolPasskey, recoveryCodes, reauthenticate
  }

  var flow: Flow
  /// Nil where the user's own session does.
  var session: String?
  /// Where a code goes.
  var address: String?
  /// Names the code that a new password needs once more, which stays in memory.
  private var codeID: String?
  /// Each code that is sent makes another handle.
  var sent = 1

  init(_ flow: Flow, address: String? = nil) {
    self.flow = flow
    self.address = address
  }

  init(_ credentials: any Credentials) throws(AuthenticationError) {
    switch credentials {
    case let answer as ChallengeAnswer: try self.init(answer)
    case let email as EmailCredentials: self.init(.start, address: email.address)
    case let phone as PhoneCredentials: self.init(.start, address: phone.phoneNumber)
    case let password as PasswordCredentials: self.init(.start, address: password.userName)
    default: self.init(.start)
    }
  }

  /// The step that is answered.
  init(_ answer: ChallengeAnswer) throws(AuthenticationError) {
    let handle = Data(answer.challenge.handle.reveal().utf8)
    guard let step = try? BoundedJSON.decode(Self.self, from: handle) else { throw .challengeReplaced }
    self = step
  }

  private static let codes = Mutex<[String: Secret]>([:])

  mutating func keep(_ code: Secret) {
    let id = UUID().uuidString
    Self.codes.withLock { $0 = [id: code] }
    codeID = id
  }

  /// After a relaunch the user begins again: no handle holds the input.
  func keptCode() throws(AuthenticationError) -> Secret {
    guard let code = codeID.flatMap({ id in Self.codes.withLock { $0[id] } }) else { throw .signInExpired }
    return code
  }

  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }()

  private var handle: Secret { Secret(String(decoding: (try? Self.encoder.encode(self)) ?? Data(), as: UTF8.self)) }

  /// The question, where the flow alone names it.
  var challenge: Challenge {
    switch flow {
    case .verifyEmail, .verifyPhone: asking(.confirmation, resendDelay: .zero)
    case .loginByCode: asking(address?.hasPrefix("+") == true ? .smsCode : .emailCode, resendDelay: .zero)
    case .passwordReset: asking(.emailCode, resendDelay: .zero)
    case .newPassword: asking(.newPassword)
    default: asking(.password)
    }
  }

  func asking(_ kind: Challenge.Kind, resendDelay: Duration? = nil) -> Challenge {
    Challenge(kind: kind, destination: address, handle: handle, resendDelay: resendDelay)
  }

  func asking(_ kind: Challenge.Kind, options: JSONValue) -> Challenge {
    Challenge(kind: kind, handle: handle, passkeyRequest: Secret(options.json))
  }

  func asking(_ kind: Challenge.Kind, _ enrolment: Challenge.Enrolment, format: CodeFormat? = nil) -> Challenge {
    Challenge(kind: kind, handle: handle, format: format, enrolment: enrolment)
  }

  /// - Parameter chosen: the user's choice; nil for the first of the app's order.
  func asking(oneOf types: [String], chosen: String?) -> Challenge {
    let factors = types.sorted(by: >).map { Challenge.Factor(id: $0, kind: .init(allauth: $0)) }
    let asked = factors.first { $0.id == chosen } ?? factors.first { $0.kind == .oneTimePassword }
    return Challenge(
      kind: asked?.kind ?? .choice, handle: handle, format: asked?.kind == .oneTimePassword ? .digits(6) : nil,
      choices: factors)
  }
}

extension Challenge.Kind {
  /// Of allauth's type of an authenticator.
  init(allauth type: String) {
    switch type {
    case "totp": self = .oneTimePassword
    case "recovery_codes": self = .recoveryCode
    case "webauthn": self = .passkey
    default: self.init(id: type)
    }
  }
}

extension JSONValue {
  init(json: String) { self = (try? BoundedJSON.decode(JSONValue.self, from: Data(json.utf8))) ?? .null }
  var json: String { String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self) }
}
