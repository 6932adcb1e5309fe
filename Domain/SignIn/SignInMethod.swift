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
  /// What a button says if the app supplies no text of its own (English).
  public let displayName: String
  /// What it takes from the person, in the order in which a form asks for it.
  public let needs: [Need]
  /// Whether a sign-in with it shows who the user is; false for one that creates a nameless account, or that reads what
  /// this device has stored. Only methods that do are offered to a user who is to prove that they are present.
  public let identifiesUser: Bool

  /// A method of your own provider.
  ///
  /// - Parameters:
  ///   - id: stable, for logs and configuration.
  ///   - displayName: what a button says if the app supplies no text of its own (English).
  ///   - needs: what it takes from the user, in the order of the form; by default nothing.
  ///   - identifiesUser: whether a sign-in with it shows who the user is; by default true.
  public init(id: String, displayName: String, needs: [Need] = [], identifiesUser: Bool = true) {
    self.id = id
    self.displayName = displayName
    self.needs = needs
    self.identifiesUser = identifiesUser
  }

  /// Something that a method takes from the person: an open set.
  public struct Need: Sendable, Hashable {
    /// Stable identifier.
    public let id: String
    /// A need of your own method.
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
