/// The steps between the choice of a method and its credentials: no other type knows them.
///
/// A product line lists its processes in the composition, in the order of the buttons:
///
/// ```swift
/// extension SignInProcess {
///   static let gitHub = SignInProcess(SignInMethod(id: "github", displayName: "GitHub", needs: [.browser])) {
///     context throws(AuthenticationError) in try await GitHubCredentials(code: kiosk.code())
///   }
/// }
/// let methods: [SignInProcess] = [.password, .gitHub]
/// ```
public struct SignInProcess: Sendable {
  /// The context of one run of a process.
  public struct Context: Sendable {
    /// The values that the user entered, and those that the app supplied.
    public let input: SignInInput
    /// A link that was opened although no attempt waited for it; it signs in together with the user's address.
    public let link: Secret?
    /// Tells the attempt that the user is busy elsewhere.
    public let onExternalInteraction: @Sendable (ExternalInteraction) -> Void

    package init(
      _ input: SignInInput = SignInInput(), link: Secret? = nil,
      onExternalInteraction: @escaping @Sendable (ExternalInteraction) -> Void = { _ in }
    ) {
      self.input = input
      self.link = link
      self.onExternalInteraction = onExternalInteraction
    }
  }

  /// The method, as the app shows it.
  public let method: SignInMethod
  /// The method of the credentials that it presents to the provider.
  package let presented: SignInMethod
  /// Whether there is a page, which alone takes the hints of an attempt.
  var showsPage: Bool { (method.needs + presented.needs).contains(.browser) }
  let credentials: @Sendable (Context) async throws(AuthenticationError) -> any Credentials
  let challengeAnswer: @Sendable (Challenge, Context) async throws(AuthenticationError) -> ChallengeAnswer.Content?
  let accepted: @Sendable (any Credentials, User) async -> Void
  let failed: @Sendable (any Credentials, AuthenticationError, Context) async -> Void
  let forget: @Sendable (User) async throws(AuthenticationError) -> Void

  /// A custom process.
  ///
  /// - Parameters:
  ///   - method: the method, as the app shows it.
  ///   - presented: the method of the credentials, if it is another one: a button "GitHub" whose credentials are a
  ///     browser's.
  ///   - answer: answers a challenge of this method without the user's typing, such as a passkey's; nil for a
  ///     challenge that the user answers. By default the user answers all.
  ///   - accepted: runs once the provider has accepted the credentials that this process presented, or the answer to
  ///     the challenge that it ended with, before the attempt ends.
  ///   - failed: runs with the credentials, or the answer, that failed, before the attempt shows the failure.
  ///   - forget: clears the state that the device keeps for this method, after a sign-out.
  ///   - credentials: obtains the credentials for the provider; it throws ``AuthenticationError/cancelled`` if
  ///     the user leaves.
  public init(
    _ method: SignInMethod, presenting presented: SignInMethod? = nil,
    answer: @escaping @Sendable (Challenge, Context) async throws(AuthenticationError) -> ChallengeAnswer.Content? = {
      _, _ throws(AuthenticationError) in nil
    },
    accepted: @escaping @Sendable (any Credentials, User) async -> Void = { _, _ in },
    failed: @escaping @Sendable (any Credentials, AuthenticationError, Context) async -> Void = { _, _, _ in },
    forget: @escaping @Sendable (User) async throws(AuthenticationError) -> Void = { _ throws(AuthenticationError) in },
    credentials: @escaping @Sendable (Context) async throws(AuthenticationError) -> any Credentials
  ) {
    self.method = method
    self.presented = presented ?? method
    challengeAnswer = answer
    self.accepted = accepted
    self.failed = failed
    self.forget = forget
    self.credentials = credentials
  }
}

extension SignInProcess {
  /// A form with a user name and a password.
  public static let password = Self(.password) { context throws(AuthenticationError) in
    PasswordCredentials(userName: context.input[.userName].reveal(), password: context.input[.password])
  }

  /// A form with a phone number, then the code that came.
  public static let phoneCode = Self(.phoneCode) { context throws(AuthenticationError) in
    PhoneCredentials(phoneNumber: context.input[.phoneNumber].reveal())
  }

  /// A form with an e-mail address, then the code that came.
  public static let emailCode = Self(.emailCode) { context throws(AuthenticationError) in
    EmailCredentials(address: context.input[.emailAddress].reveal())
  }

  /// A form with an e-mail address, then the link that came.
  public static let emailLink = Self(.emailLink) { context throws(AuthenticationError) in
    EmailCredentials(address: context.input[.emailAddress].reveal(), method: .emailLink, link: context.link)
  }

  /// An account without a name.
  public static let anonymous = Self(.anonymous) { _ throws(AuthenticationError) in .anonymous }

  /// The stored session of a user who returns.
  public static let unlock = Self(.unlock) { _ throws(AuthenticationError) in .unlock }

  /// The processes that need nothing but text from the user, for the methods of a provider; others are left out.
  package static func forms(for methods: [SignInMethod]) -> [SignInProcess] {
    methods.compactMap { method in
      [password, phoneCode, emailCode, emailLink, anonymous].first { $0.method == method }
    }
  }
}

/// An action of the user outside the app while an attempt waits, and the details that the app shows meanwhile.
public struct ExternalInteraction: Sendable, Hashable {
  /// Where the user is busy.
  public let place: SignInMethod.Need
  /// The address to visit on another device (RFC 8628 §3.3).
  public let address: String?
  /// The address that includes the code, to show as a QR code.
  public let completeAddress: String?
  /// The code to type there.
  public let userCode: String?
  /// How long it is accepted, from now; nil if that is not known.
  public let lifetime: Duration?

  /// For a process that sends the user elsewhere.
  public init(
    _ place: SignInMethod.Need, address: String? = nil, completeAddress: String? = nil, userCode: String? = nil,
    lifetime: Duration? = nil
  ) {
    self.place = place
    self.address = address
    self.completeAddress = completeAddress
    self.userCode = userCode
    self.lifetime = lifetime
  }
}
