package import AuthenticationDomain

/// Where a screen can lead besides the next step; nil where an app leads nowhere.
@MainActor
package struct ScreenExits {
  package typealias Exit = @MainActor () -> Void

  /// The form to sign in, with the user name of this one.
  package var signIn: Exit?
  /// The form for a new account.
  package var signUp: Exit?
  /// The reset of a password.
  package var forgot: Exit?
  /// The screen before this one.
  package var back: Exit?
  /// The app for mail.
  package var mail: Exit?
  /// The sign-in of another account.
  package var addAccount: Exit?
  /// The kinds of factors that a user can add to an account.
  package var factors: [Challenge.Kind] = [.enrolment]

  package init(signIn: Exit? = nil, signUp: Exit? = nil, forgot: Exit? = nil, back: Exit? = nil, mail: Exit? = nil) {
    self.signIn = signIn
    self.signUp = signUp
    self.forgot = forgot
    self.back = back
    self.mail = mail
  }
}
