import AuthenticationData
import AuthenticationNativeSignIn
import AuthenticationOpenID
import AuthenticationPasskeys
import AuthenticationServices

func usesWhatExistsOnlyWithSecurity() -> [any SecureStorage] {
  [KeychainStorage.LocalAuthentication.userPresence, .currentBiometry].map { gate in
    KeychainStorage(
      service: "probe", accessGroup: "TEAM.probe", accessibility: .whenUnlockedThisDeviceOnly,
      localAuthentication: gate)
  }
}

#if !os(tvOS) && !os(watchOS)
func usesWhatExistsOnlyWithAuthenticationServices(
  _ anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
) -> any AuthorizationPresenter {
  WebAuthenticationSessionPresenter(isEphemeral: true, anchor: anchor)
}

func usesThePasskeysOfTheSystem(
  _ anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
) -> any PasskeyAuthenticator {
  PlatformPasskeyAuthenticator(anchor: anchor).checking(relyingPartyID: "example.org")
}

func usesAppleAccountsOfTheSystem(
  _ anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
) -> any NativeAuthenticator & NativeCredentialSource {
  AppleIDAuthenticator(scopes: [.email], anchor: anchor)
}
#endif
