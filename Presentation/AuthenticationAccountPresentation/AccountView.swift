#if canImport(SwiftUI)
import AuthenticationAccount
import AuthenticationDomain
import AuthenticationPresentation
public import AuthenticationUI
public import SwiftUI

/// Shows an account, or a question to its user.
///
/// ```swift
/// let model = AccountModel(root.manager.account, of: user, in: flows)  // kept, such as with @State
/// AccountView(model)
/// ```
public struct AccountView: View {
  private let model: any DrawnScreen
  private let exits: ScreenExits?
  private let theme: SignInTheme

  private init(_ model: any DrawnScreen, _ theme: SignInTheme, _ exits: ScreenExits? = nil) {
    self.model = model
    self.exits = exits
    self.theme = theme
  }

  /// Shows an account, changes it, and deletes it.
  public init(_ model: AccountModel, theme: SignInTheme = SignInTheme()) { self.init(model, theme) }

  /// Has a user prove their identity again.
  public init(_ model: ReauthenticationModel, theme: SignInTheme = SignInTheme()) { self.init(model, theme) }

  /// Links the presented credentials to the user's account.
  public init(_ model: AccountConflictModel, theme: SignInTheme = SignInTheme()) { self.init(model, theme) }

  /// Lets a user choose another password.
  ///
  /// - Parameters:
  ///   - model: takes the reset from step to step.
  ///   - theme: colours and fonts.
  ///   - signIn: shows the form to sign in, or the screen before it where a user is signed in.
  public init(_ model: PasswordResetModel, theme: SignInTheme = SignInTheme(), signIn: @escaping @MainActor () -> Void)
  {
    self.init(model, theme, ScreenExits(back: signIn))
  }

  public var body: some View { FlowView(model, exits: exits, theme: theme) }
}
#endif
