/// The data that a user presents to sign in or sign up.
///
/// An open set: a provider that understands another kind declares a type for it, and a provider that does not
/// understand one throws ``AuthenticationError/unsupportedMethod``.
///
/// ### Choose credentials
///
/// | type | for |
/// |---|---|
/// | ``PasswordCredentials`` | a user name, or an address, and a password |
/// | ``EmailCredentials``, ``PhoneCredentials`` | a code or a link |
/// | ``PasskeyCredentials`` | a passkey |
/// | ``NativeCredentials`` | the result of a vendor's sheet |
/// | ``BareCredentials`` | an anonymous account, or unlocking |
/// | ``ChallengeAnswer`` | the answer to a second step |
///
/// ### Implement credentials
///
/// Wrap each password, code and token in a ``Secret``, and check in ``validate()`` only rules that need no network.
///
/// ```swift
/// struct BadgeCredentials: Credentials {
///   let badge: Secret
///   var method: SignInMethod { SignInMethod(id: "badge", displayName: "Badge") }
///   func validate() throws(AuthenticationError) {
///     if badge.isEmpty { throw AuthenticationError(.invalidRequest, "The badge is blank.") }
///   }
/// }
/// ```
///
/// A secret of these must not reach a ``Challenge/handle``: the step would not be kept for a relaunch.
public protocol Credentials: Sendable {
  /// The sign-in method that these belong to; it holds no secret.
  var method: SignInMethod { get }

  /// Refuses, without any I/O, credentials that need no network call for it. By default there is nothing to check.
  ///
  /// - Throws: ``AuthenticationError`` if these credentials are blank or malformed.
  func validate() throws(AuthenticationError)
}

extension Credentials {
  public func validate() throws(AuthenticationError) {}
}

/// A user name (or e-mail address) and a password.
public struct PasswordCredentials: Credentials {
  /// As typed.
  public let userName: String
  /// As typed; sent to the provider only, and never stored.
  public let password: Secret

  /// Accepts anything; ``validate()`` checks it.
  public init(userName: String, password: Secret) {
    self.userName = userName
    self.password = password
  }

  public var method: SignInMethod { .password }

  /// Checks that there is a user name and a password.
  ///
  /// - Throws: ``AuthenticationError/blankUserName`` if the user name is empty or only white space,
  ///   ``AuthenticationError/emptyPassword`` if there is no password.
  public func validate() throws(AuthenticationError) {
    if userName.allSatisfy(\.isWhitespace) { throw .blankUserName }
    if password.isEmpty { throw .emptyPassword }
  }
}

extension Credentials where Self == PasswordCredentials {
  /// A user name (or e-mail address) and a password, for `signIn(with:)`.
  public static func password(userName: String, password: Secret) -> Self {
    PasswordCredentials(userName: userName, password: password)
  }
}

/// An e-mail address to which the provider sends a code or a link, which is then given as a ``ChallengeAnswer``.
public struct EmailCredentials: Credentials {
  /// As typed: the part before the @ may depend on upper and lower case.
  public let address: String
  /// ``SignInMethod/emailCode`` or ``SignInMethod/emailLink``.
  public let method: SignInMethod
  /// The link that came, if it was opened where no attempt waited for it: both together sign in.
  public let link: Secret?

  /// Accepts anything; ``validate()`` checks it.
  package init(address: String, method: SignInMethod = .emailCode, link: Secret? = nil) {
    self.address = address
    self.method = method
    self.link = link
  }

  /// Checks the shape alone: one @ between two parts without spaces.
  ///
  /// - Throws: ``AuthenticationError/invalidEmailAddress`` if it has another one.
  public func validate() throws(AuthenticationError) {
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    let hasParts = parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
    let isPrintable = address.unicodeScalars.allSatisfy {
      !$0.properties.isWhitespace && $0.properties.generalCategory != .control
    }
    guard hasParts, isPrintable, address.utf8.count <= 254 else { throw .invalidEmailAddress }
  }
}

extension Credentials where Self == EmailCredentials {
  /// An address to which the provider sends a code.
  public static func emailCode(_ address: String) -> Self { EmailCredentials(address: address) }
  /// An address to which the provider sends a link.
  public static func emailLink(_ address: String) -> Self { EmailCredentials(address: address, method: .emailLink) }
}

/// A phone number to which the provider sends a code; the code is then given as a ``ChallengeAnswer``.
public struct PhoneCredentials: Credentials {
  /// E.164: a plus sign and up to 15 digits.
  public let phoneNumber: String

  /// Accepts anything; ``validate()`` checks it.
  package init(phoneNumber: String) { self.phoneNumber = phoneNumber }

  public var method: SignInMethod { .phoneCode }

  /// Checks that the number is in E.164 form: a plus sign and 7 to 15 digits, the first of them not 0.
  ///
  /// - Throws: ``AuthenticationError/invalidPhoneNumber`` if it is not.
  public func validate() throws(AuthenticationError) {
    let digits = phoneNumber.dropFirst()
    let isWellFormed =
      phoneNumber.first == "+" && (7...15).contains(digits.count)
      && digits.allSatisfy { ("0"..."9").contains($0) } && digits.first != "0"
    if !isWellFormed { throw .invalidPhoneNumber }
  }
}

extension Credentials where Self == PhoneCredentials {
  /// A phone number in E.164 form, for `signIn(with:)`.
  public static func phone(_ number: String) -> Self { PhoneCredentials(phoneNumber: number) }
}

/// A passkey's answer to the provider's request (WebAuthn Level 3 §5.1.4), or the wish to be asked for one.
public struct PasskeyCredentials: Credentials {
  /// The provider's own handle of its request; nil while it has not been asked for one.
  public let handle: Secret?
  /// `AuthenticationResponseJSON`; nil to begin, which the provider answers with a ``Challenge/Kind/passkey``.
  public let response: Secret?

  /// The wish to sign in with a passkey.
  package init() { (handle, response) = (nil, nil) }

  /// The authenticator's answer.
  package init(handle: Secret?, response: Secret) {
    self.handle = handle
    self.response = response
  }

  public var method: SignInMethod { .passkey }
}

extension Credentials where Self == PasskeyCredentials {
  /// The wish to sign in with a passkey.
  public static var passkey: Self { PasskeyCredentials() }
}

/// Credentials that present nothing but their method.
public struct BareCredentials: Credentials {
  public let method: SignInMethod
}

extension Credentials where Self == BareCredentials {
  /// Asks for an account without a name. Signing out of it loses it for ever, unless it was upgraded before.
  public static var anonymous: Self { BareCredentials(method: .anonymous) }

  /// Asks for the stored session of a returning user: the store may ask for a face, a finger or a passcode. No
  /// provider is asked; ``AuthManager`` reads the store again, which may prompt.
  public static var unlock: Self { BareCredentials(method: .unlock) }
}
