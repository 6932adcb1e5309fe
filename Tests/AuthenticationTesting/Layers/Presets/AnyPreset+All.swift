import AuthenticationAccountPresentation
import AuthenticationDomain
import AuthenticationMultiAccount
public import AuthenticationPresentation

extension AnyPreset {
  /// Each state of each flow.
  public static func all(in words: Words = Words()) -> [AnyPreset] {
    func named<Model>(_ flow: String, _ presets: [Preset<Model>]) -> [AnyPreset] {
      presets.map { AnyPreset(flow, $0) }
    }
    return named("sign-in", AuthenticationViewModel.presets(in: words))
      + named("methods", MethodListModel.presets(in: words)) + named("form", SignInFormModel.presets(in: words))
      + named("sign-up", SignInFormModel.signUpPresets(in: words)) + named("code", CodeEntryModel.presets(in: words))
      + named("address", SignInFormModel.addressPresets(in: words))
      + named("link", CodeEntryModel.linkPresets(in: words)) + named("device", DeviceCodeModel.presets(in: words))
      + named("browser", ExternalSignInModel.presets(of: .browser, in: words))
      + named("sheet", ExternalSignInModel.presets(of: .apple, in: words))
      + named("passkey", ExternalSignInModel.presets(of: .passkey, in: words))
      + named("factors", ChallengePickerModel.presets(in: words))
      + named("new password", NewPasswordModel.presets(in: words))
      + named("reset", PasswordResetModel.presets(in: words))
      + named("conflict", AccountConflictModel.presets(in: words))
      + named("re-authentication", ReauthenticationModel.presets(in: words))
      + named("session", SessionModel.presets(in: words)) + named("account", AccountModel.presets(in: words))
      + named("accounts", AccountSwitcherModel.presets(in: words))
      + named("locked store", LockedStoreModel.presets(in: words)) + named("offline", OfflineModel.presets(in: words))
  }
}
