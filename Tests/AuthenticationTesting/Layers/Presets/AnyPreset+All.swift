import AuthenticationAccountPresentation
import AuthenticationDomain
import AuthenticationMultiAccount
public import AuthenticationPresentation
import AuthenticationScreens

extension AnyPreset {
  /// Each state of each flow.
  public static func all(in words: Words = Words()) -> [AnyPreset] {
    func named<Model>(
      _ flow: String, _ presets: [Preset<Model>], _ screen: (Model) -> Screen
    ) -> [AnyPreset] {
      presets.map { AnyPreset(flow, $0, screen($0.model)) }
    }
    return named("sign-in", AuthenticationViewModel.presets(in: words)) { $0.screen }
      + named("methods", MethodListModel.presets(in: words)) { $0.screen }
      + named("form", SignInFormModel.presets(in: words)) { $0.screen }
      + named("sign-up", SignInFormModel.signUpPresets(in: words)) { $0.screen }
      + named("code", CodeEntryModel.presets(in: words)) { $0.screen }
      + named("address", SignInFormModel.addressPresets(in: words)) { $0.screen }
      + named("link", CodeEntryModel.linkPresets(in: words)) { $0.screen }
      + named("device", DeviceCodeModel.presets(in: words)) { $0.screen }
      + named("browser", ExternalSignInModel.presets(of: .browser, in: words)) { $0.screen }
      + named("sheet", ExternalSignInModel.presets(of: .apple, in: words)) { $0.screen }
      + named("passkey", ExternalSignInModel.presets(of: .passkey, in: words)) { $0.screen }
      + named("factors", ChallengePickerModel.presets(in: words)) { $0.screen }
      + named("new password", NewPasswordModel.presets(in: words)) { $0.screen }
      + named("reset", PasswordResetModel.presets(in: words)) { $0.screen {} }
      + named("conflict", AccountConflictModel.presets(in: words)) { $0.screen }
      + named("re-authentication", ReauthenticationModel.presets(in: words)) { $0.screen }
      + named("session", SessionModel.presets(in: words)) { $0.screen }
      + named("account", AccountModel.presets(in: words)) { $0.screen }
      + named("accounts", AccountSwitcherModel.presets(in: words)) { $0.screen }
      + named("locked store", LockedStoreModel.presets(in: words)) { $0.screen }
      + named("offline", OfflineModel.presets(in: words)) { $0.screen }
  }
}
