#if canImport(SwiftUI)
import AuthenticationAccountPresentation
import AuthenticationDomain
import AuthenticationMultiAccount
import AuthenticationPresentation
import AuthenticationScreens
import AuthenticationUI
import SwiftUI

// One preview for each state of a flow. Providers, and not the macro: that one cannot be checked without Apple's
// toolchain.

@MainActor
private func each<Model>(
  _ presets: [Preset<Model>], @ViewBuilder _ screen: @escaping (Model) -> some View
) -> some View {
  ForEach(presets, id: \.name) { screen($0.model).previewDisplayName($0.name) }
}

struct SignInView_Previews: PreviewProvider {
  static var previews: some View {
    each(AuthenticationViewModel.presets()) { SignInView($0) { ScreenView($0.screen) } }
  }
}

struct MethodListView_Previews: PreviewProvider {
  static var previews: some View { each(MethodListModel.presets()) { SignInStepView(.methods($0)) } }
}

struct SignInFormView_Previews: PreviewProvider {
  static var previews: some View { each(SignInFormModel.presets()) { SignInStepView(.form($0)) } }
}

struct SignUpView_Previews: PreviewProvider {
  static var previews: some View { each(SignInFormModel.signUpPresets()) { SignInStepView(.form($0)) } }
}

struct CodeEntryView_Previews: PreviewProvider {
  static var previews: some View { each(CodeEntryModel.presets()) { SignInStepView(.code($0)) } }
}

struct AddressForm_Previews: PreviewProvider {
  static var previews: some View { each(SignInFormModel.addressPresets()) { SignInStepView(.form($0)) } }
}

struct LinkView_Previews: PreviewProvider {
  static var previews: some View { each(CodeEntryModel.linkPresets()) { SignInStepView(.link($0)) } }
}

struct DeviceCodeView_Previews: PreviewProvider {
  static var previews: some View { each(DeviceCodeModel.presets()) { SignInStepView(.device($0)) } }
}

struct BrowserView_Previews: PreviewProvider {
  static var previews: some View { each(ExternalSignInModel.presets(of: .browser)) { SignInStepView(.browser($0)) } }
}

struct PasskeyView_Previews: PreviewProvider {
  static var previews: some View { each(ExternalSignInModel.presets(of: .passkey)) { SignInStepView(.passkey($0)) } }
}

struct ChallengePickerView_Previews: PreviewProvider {
  static var previews: some View { each(ChallengePickerModel.presets()) { SignInStepView(.factors($0)) } }
}

struct NewPasswordView_Previews: PreviewProvider {
  static var previews: some View { each(NewPasswordModel.presets()) { SignInStepView(.newPassword($0)) } }
}

struct PasswordResetView_Previews: PreviewProvider {
  static var previews: some View { each(PasswordResetModel.presets()) { ScreenView($0.screen {}) } }
}

struct AccountConflictView_Previews: PreviewProvider {
  static var previews: some View { each(AccountConflictModel.presets()) { ScreenView($0.screen) } }
}

struct ReauthenticationView_Previews: PreviewProvider {
  static var previews: some View { each(ReauthenticationModel.presets()) { ScreenView($0.screen) } }
}

struct SessionView_Previews: PreviewProvider {
  static var previews: some View { each(SessionModel.presets()) { ScreenView($0.screen) } }
}

struct AccountView_Previews: PreviewProvider {
  static var previews: some View { each(AccountModel.presets()) { ScreenView($0.screen) } }
}

struct OfflineBanner_Previews: PreviewProvider {
  static var previews: some View { each(OfflineModel.presets()) { OfflineBanner($0) } }
}

struct AccountMenu_Previews: PreviewProvider {
  static var previews: some View { each(AccountSwitcherModel.presets()) { AccountMenu($0) {} } }
}

/// The form as others see it.
struct Appearance_Previews: PreviewProvider {
  static var previews: some View {
    Group {
      each(SignInFormModel.presets()) { SignInStepView(.form($0)) }.preferredColorScheme(.dark)
      each(SignInFormModel.presets()) { SignInStepView(.form($0)) }.dynamicTypeSize(.accessibility5)
      each(SignInFormModel.presets(in: Words(.german))) { SignInStepView(.form($0)) }
      each(SignInFormModel.presets(in: Words(.pseudo))) { SignInStepView(.form($0)) }
    }
  }
}
#endif
