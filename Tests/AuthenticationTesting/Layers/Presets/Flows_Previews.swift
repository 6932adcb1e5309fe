#if canImport(SwiftUI)
import AuthenticationAccountPresentation
import AuthenticationPresentation
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
    each(AuthenticationViewModel.presets()) { SignInView($0) { SessionView($0) } }
  }
}

struct MethodListView_Previews: PreviewProvider {
  static var previews: some View { each(MethodListModel.presets()) { MethodListView($0) } }
}

struct SignInFormView_Previews: PreviewProvider {
  static var previews: some View { each(SignInFormModel.presets()) { SignInFormView($0) } }
}

struct SignUpView_Previews: PreviewProvider {
  static var previews: some View { each(SignUpModel.presets()) { SignUpView($0) } }
}

struct CodeEntryView_Previews: PreviewProvider {
  static var previews: some View { each(CodeEntryModel.presets()) { CodeEntryView($0) } }
}

struct EmailLinkView_Previews: PreviewProvider {
  static var previews: some View { each(EmailLinkModel.presets()) { EmailLinkView($0) } }
}

struct DeviceCodeView_Previews: PreviewProvider {
  static var previews: some View { each(DeviceCodeModel.presets()) { DeviceCodeView($0) } }
}

struct BrowserView_Previews: PreviewProvider {
  static var previews: some View { each(BrowserSignInModel.presets()) { BrowserView($0) } }
}

struct PasskeyView_Previews: PreviewProvider {
  static var previews: some View { each(PasskeyModel.presets()) { PasskeyView($0) } }
}

struct ChallengePickerView_Previews: PreviewProvider {
  static var previews: some View { each(ChallengePickerModel.presets()) { ChallengePickerView($0) } }
}

struct NewPasswordView_Previews: PreviewProvider {
  static var previews: some View { each(NewPasswordModel.presets()) { NewPasswordView($0) } }
}

struct PasswordResetView_Previews: PreviewProvider {
  static var previews: some View { each(PasswordResetModel.presets()) { PasswordResetView($0) {} } }
}

struct AccountConflictView_Previews: PreviewProvider {
  static var previews: some View { each(AccountConflictModel.presets()) { AccountConflictView($0) } }
}

struct ReauthenticationView_Previews: PreviewProvider {
  static var previews: some View { each(ReauthenticationModel.presets()) { ReauthenticationView($0) } }
}

struct SessionView_Previews: PreviewProvider {
  static var previews: some View { each(SessionModel.presets()) { SessionView($0) } }
}

struct AccountView_Previews: PreviewProvider {
  static var previews: some View { each(AccountModel.presets()) { AccountView($0) } }
}

struct LockedStoreView_Previews: PreviewProvider {
  static var previews: some View { each(LockedStoreModel.presets()) { LockedStoreView($0) } }
}

struct OfflineBanner_Previews: PreviewProvider {
  static var previews: some View { each(OfflineModel.presets()) { OfflineBanner($0) } }
}

/// The form as others see it.
struct Appearance_Previews: PreviewProvider {
  static var previews: some View {
    Group {
      each(SignInFormModel.presets()) { SignInFormView($0) }.preferredColorScheme(.dark)
      each(SignInFormModel.presets()) { SignInFormView($0) }.dynamicTypeSize(.accessibility5)
      each(SignInFormModel.presets(in: Words(.german))) { SignInFormView($0) }
      each(SignInFormModel.presets(in: Words(.pseudo))) { SignInFormView($0) }
    }
  }
}
#endif
