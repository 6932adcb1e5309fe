extension Challenge {
  /// What is asked for: an open set.
  public struct Kind: Sendable, Hashable {
    /// Stable identifier, for logs.
    public let id: String
    /// A kind of your own provider.
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
    /// The password that the account has, given as a new one is: of the person who is signed in it shows that nobody else
    /// is there now.
    public static let password = Kind(id: "password")
    /// A code that confirms an address or number which the person entered.
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

  /// A way to answer that a person may choose.
  public struct Factor: Sendable, Hashable, Identifiable {
    /// The provider's own id of it.
    public let id: String
    /// What choosing it asks for.
    public let kind: Kind
    /// Where a code would go, masked by the provider.
    public let destination: String?
    /// What the user calls it; nil if it has no name.
    public let label: String?

    /// For a provider.
    public init(id: String, kind: Kind, destination: String? = nil, label: String? = nil) {
      self.id = id
      self.kind = kind
      self.destination = destination
      self.label = label
    }
  }

  /// What a person needs to enrol an authenticator app (RFC 6238).
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
