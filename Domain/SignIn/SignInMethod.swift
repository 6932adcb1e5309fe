/// A way to sign in, as a value: an open set, to which each provider adds its own. Equal by ``id``.
///
/// ```swift
/// ForEach(root.attempts.methods, id: \.id) { method in
///   Button(method.displayName) { _ = try? root.attempts.begin(method) }
/// }
/// ```
public struct SignInMethod: Sendable {
  /// Stable identifier, for logs and configuration.
  public let id: String
  /// The text of a button if the app supplies no custom text (English).
  public let displayName: String
  /// The needs that the user meets, in the order in which a form asks for them.
  public let needs: [Need]
  /// Whether a sign-in with it identifies the user; false for one that creates a nameless account, or that reads a
  /// session that this device has stored. Only methods that do are offered to a user who is to prove that they are
  /// present.
  public let identifiesUser: Bool

  /// A method of a custom provider.
  ///
  /// - Parameters:
  ///   - id: stable, for logs and configuration.
  ///   - displayName: the text of a button if the app supplies no custom text (English).
  ///   - needs: the needs that the user meets, in the order of the form; by default none.
  ///   - identifiesUser: whether a sign-in with it identifies the user; by default true.
  public init(id: String, displayName: String, needs: [Need] = [], identifiesUser: Bool = true) {
    self.id = id
    self.displayName = displayName
    self.needs = needs
    self.identifiesUser = identifiesUser
  }

  /// Something that a method takes from the user: an open set.
  public struct Need: Sendable, Hashable {
    /// Stable identifier.
    public let id: String
    /// A need of a custom method.
    public init(id: String) { self.id = id }

    /// A user name, or an e-mail address used as one.
    public static let userName = Need(id: "user_name")
    /// A password.
    public static let password = Need(id: "password")
    /// A phone number in E.164 form.
    public static let phoneNumber = Need(id: "phone_number")
    /// An e-mail address.
    public static let emailAddress = Need(id: "email_address")
    /// The provider's page in a browser.
    public static let browser = Need(id: "browser")
    /// A sheet of the operating system, in front of the host's window.
    public static let systemSheet = Need(id: "system_sheet")
    /// Another device with a browser.
    public static let anotherDevice = Need(id: "another_device")
  }
}

extension SignInMethod: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension SignInMethod {
  /// See ``PasswordCredentials``.
  public static let password = Self(
    id: "password", displayName: "User name and password", needs: [.userName, .password])
  /// A code by text message; see ``PhoneCredentials``.
  public static let phoneCode = Self(id: "phone-code", displayName: "Phone number", needs: [.phoneNumber])
  /// A code by e-mail; see ``EmailCredentials``.
  public static let emailCode = Self(id: "email-code", displayName: "Code by e-mail", needs: [.emailAddress])
  /// A link by e-mail; see ``EmailCredentials``.
  public static let emailLink = Self(id: "email-link", displayName: "Link by e-mail", needs: [.emailAddress])
  /// A passkey of this device or of a security key (WebAuthn Level 3); see ``PasskeyCredentials``.
  public static let passkey = Self(id: "passkey", displayName: "Passkey", needs: [.systemSheet])
  /// Sign in with Apple by the system's sheet; see ``NativeCredentials``.
  public static let apple = Self(id: "apple", displayName: "Sign in with Apple", needs: [.systemSheet])
  /// Google, by an identity token; see ``NativeCredentials``.
  public static let google = Self(id: "google", displayName: "Sign in with Google", needs: [.systemSheet])
  /// Facebook, by an identity token; see ``NativeCredentials``.
  public static let facebook = Self(id: "facebook", displayName: "Sign in with Facebook", needs: [.systemSheet])
  /// The provider's own page (RFC 8252).
  public static let browser = Self(id: "browser", displayName: "Browser", needs: [.browser])
  /// Another vendor's page, where the provider signs users in with several: one button for each.
  ///
  /// ```swift
  /// let microsoft = SignInMethod(id: "azure", displayName: "Sign in with Microsoft")
  /// let methods: [SignInMethod] = [.password, .browser(.google), .browser(microsoft)]
  /// ```
  ///
  /// - Parameter vendor: its id is the provider's name for it, and its display name is the text of the button.
  public static func browser(_ vendor: Self) -> Self {
    Self(id: pagePrefix + vendor.id, displayName: vendor.displayName, needs: [.browser])
  }

  private static let pagePrefix = "browser-"

  /// Whose page it is, by the provider's name; nil for a method that is none of ``browser(_:)``.
  package var pageVendor: String? {
    id.hasPrefix(Self.pagePrefix) ? String(id.dropFirst(Self.pagePrefix.count)) : nil
  }

  /// A code that is typed on another device (RFC 8628).
  public static let device = Self(id: "device", displayName: "Another device", needs: [.anotherDevice])
  /// An account without a name, which can be upgraded later and keeps its user id.
  public static let anonymous = Self(
    id: "anonymous", displayName: "Continue without an account", identifiesUser: false)
  /// The stored session of a user who returns, behind a face, a finger or a passcode.
  public static let unlock = Self(id: "unlock", displayName: "Unlock", needs: [.systemSheet], identifiesUser: false)
  /// A session that another library or the app's own store has; see ``AuthenticationUseCase/adopt(_:)``.
  package static let existingSession = Self(
    id: "existing-session", displayName: "Existing session", identifiesUser: false)
  /// The second step of any method; see ``ChallengeAnswer``.
  public static let challengeAnswer = Self(id: "challenge", displayName: "Code")
}

/// The host's window (`UIWindow`, `NSWindow`), which the domain only passes on.
public struct PresentationAnchor: Sendable {
  /// The window; a presenter casts it to the type that it knows.
  public let window: any AnyObject & Sendable

  /// Wraps the host's window.
  public init(_ window: any AnyObject & Sendable) { self.window = window }
}
