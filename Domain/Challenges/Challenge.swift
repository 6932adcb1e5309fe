import Foundation

/// A step that the provider asks for before it gives a session: a code, a link, a new password. A value, not an error.
///
/// ```swift
/// Challenge(
///   kind: .smsCode, destination: "•••• 42", handle: Secret("…"), format: .digits(6),
///   lifetime: .seconds(300), resendDelay: .seconds(60))
/// ```
public struct Challenge: Sendable, Hashable, BoxedValue {
  struct Contents: Sendable, Hashable {
    let kind: Kind
    let handle: Secret
    var destination: String?
    var format: CodeFormat?
    var lifetime: Duration?
    var resendDelay: Duration?
    var attemptsLeft: Int?
    var choices: [Factor]
    var passwordRules: [String]
    var enrolment: Enrolment?
    var passkeyRequest: Secret?
    var pollInterval: Duration?
  }

  let contents: Boxed<Contents>

  /// The kind of answer that the user is asked for.
  public var kind: Kind { contents.value.kind }
  /// The provider's own handle of this step, sent back with the answer. Each resend makes a new one.
  public var handle: Secret { contents.value.handle }
  /// Where the code or link went, masked by the provider ("•••• 42"), to show to the user.
  public var destination: String? { contents.value.destination }
  /// The format of the code; nil if that is not known.
  public var format: CodeFormat? { contents.value.format }
  /// How long the provider accepts an answer, from when the challenge came; nil if it did not say.
  public var lifetime: Duration? { contents.value.lifetime }
  /// How long to wait before another code may be sent, from when the challenge came; nil if nothing can be sent again.
  public var resendDelay: Duration? { contents.value.resendDelay }
  /// How many wrong answers are left; nil if the provider did not say.
  public var attemptsLeft: Int? { contents.value.attemptsLeft }
  /// The factors among which the user may choose, by ``Kind/choice`` or instead of this step; empty if there are none.
  public var choices: [Factor] { contents.value.choices }
  /// The rules for a new password, for a developer to phrase.
  public var passwordRules: [String] { contents.value.passwordRules }
  /// The data to show while an authenticator app is enrolled.
  public var enrolment: Enrolment? { contents.value.enrolment }
  /// The options for a passkey: `PublicKeyCredentialRequestOptions` or `…CreationOptions` as JSON (WebAuthn Level 3).
  public var passkeyRequest: Secret? { contents.value.passkeyRequest }
  /// How long to wait between two questions whether the user has approved elsewhere.
  public var pollInterval: Duration? { contents.value.pollInterval }

  /// For a provider, which returns it as ``SignInOutcome/challenge(_:)``. Facts that the provider does not send are
  /// left out.
  public init(
    kind: Kind, destination: String? = nil, handle: Secret, format: CodeFormat? = nil, lifetime: Duration? = nil,
    resendDelay: Duration? = nil, attemptsLeft: Int? = nil, choices: [Factor] = [], passwordRules: [String] = [],
    enrolment: Enrolment? = nil, passkeyRequest: Secret? = nil, pollInterval: Duration? = nil
  ) {
    contents = Boxed(
      Contents(
        kind: kind, handle: handle, destination: destination, format: format, lifetime: lifetime,
        resendDelay: resendDelay, attemptsLeft: attemptsLeft, choices: choices, passwordRules: passwordRules,
        enrolment: enrolment, passkeyRequest: passkeyRequest, pollInterval: pollInterval))
  }

  /// The same step with fewer attempts left, as a provider tells after a wrong answer.
  package func leaving(attempts: Int) -> Challenge {
    var changed = contents.value
    changed.attemptsLeft = attempts
    return Challenge(changed)
  }

  /// Whether the handle holds a secret that these credentials present, as it is or as JSON, Base64 or percent encoding
  /// write it. One of fewer than 6 characters counts only as a whole text: others hold it by chance.
  package func holdsSecret(of credentials: any Credentials) -> Bool {
    let handle = handle.reveal()
    let base64 = handle.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    let bytes = Data(base64Encoded: base64 + padding)
    let texts = [handle, handle.removingPercentEncoding, bytes.map { String(decoding: $0, as: UTF8.self) }]
      .compactMap(\.self)
    return credentials.presentedSecrets.contains { secret in
      let secret = secret.reveal()
      let json = (try? JSONEncoder().encode(secret)).map { String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) }
      let forms = [secret, json, json?.replacing("\\/", with: "/")].compactMap { $0 }.filter { !$0.isEmpty }
      return forms.contains { form in
        texts.contains { $0 == form || $0.contains(secret.utf8.count < 6 ? "\"\(form)\"" : form) }
      }
    }
  }

  /// Whether this is the same question as another one, with the same handle; fewer attempts may be left of it.
  func isSameStep(as other: Challenge?) -> Bool { handle == other?.handle && kind == other?.kind }

  private init(_ contents: Contents) { self.contents = Boxed(contents) }
}

extension Challenge {
  /// The kind of an answer: an open set.
  public struct Kind: Sendable, Hashable {
    /// Stable identifier, for logs.
    public let id: String
    /// A kind of a custom provider.
    public init(id: String) { self.id = id }

    /// A code sent to a phone.
    public static let smsCode = Kind(id: "sms")
    /// A code sent by e-mail.
    public static let emailCode = Kind(id: "email")
    /// A code from an authenticator app (TOTP, RFC 6238).
    public static let oneTimePassword = Kind(id: "otp")
    /// A recovery code, which works once.
    public static let recoveryCode = Kind(id: "recovery")
    /// A link sent by e-mail.
    public static let link = Kind(id: "link")
    /// One of ``Challenge/choices``.
    public static let choice = Kind(id: "choice")
    /// A new password, which the provider requires.
    public static let newPassword = Kind(id: "new_password")
    /// The password of the account, entered as a new one is: it proves the presence of the signed-in user.
    public static let password = Kind(id: "password")
    /// A code that confirms an address or number which the user entered.
    public static let confirmation = Kind(id: "confirmation")
    /// A code from an authenticator app that is enrolled by it; see ``Challenge/enrolment``.
    public static let enrolment = Kind(id: "enrolment")
    /// A passkey; see ``Challenge/passkeyRequest``.
    public static let passkey = Kind(id: "passkey")
    /// A passkey that is created; see ``Challenge/passkeyRequest``.
    public static let passkeyRegistration = Kind(id: "passkey_registration")
    /// A tap on another device.
    public static let approval = Kind(id: "approval")
  }

  /// A way to answer that a user may choose.
  public struct Factor: Sendable, Hashable, Identifiable {
    /// The provider's own id of it.
    public let id: String
    /// The kind of answer that it asks for.
    public let kind: Kind
    /// Where a code would go, masked by the provider.
    public let destination: String?
    /// The user's name for it; nil if it has none.
    public let label: String?

    /// For a provider.
    public init(id: String, kind: Kind, destination: String? = nil, label: String? = nil) {
      self.id = id
      self.kind = kind
      self.destination = destination
      self.label = label
    }
  }

  /// The data that enrols an authenticator app (RFC 6238).
  public struct Enrolment: Sendable, Hashable {
    /// Base32, to be typed.
    public let secret: Secret
    /// `otpauth://totp/…`, to be shown as a QR code.
    public let uri: Secret?

    /// For a provider.
    public init(secret: Secret, uri: Secret? = nil) {
      self.secret = secret
      self.uri = uri
    }
  }
}
