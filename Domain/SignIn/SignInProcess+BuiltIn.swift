extension SignInProcess {
  /// A form with a user name and a password.
  public static let password = Self(.password) { context throws(AuthenticationError) in
    PasswordCredentials(
      userName: context.input[.userName].reveal(), password: context.input[.password])
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
  public static let anonymous = Self(.anonymous) { _ throws(AuthenticationError) in AnonymousCredentials() }

  /// The stored session of a person who returns.
  public static let unlock = Self(.unlock) { _ throws(AuthenticationError) in UnlockCredentials() }

  /// The processes that need nothing but what a person types, for the methods of a provider; others are left out.
  public static func forms(for methods: [SignInMethod]) -> [SignInProcess] {
    methods.compactMap { method in
      [password, phoneCode, emailCode, emailLink, anonymous].first { $0.method == method }
    }
  }
}
