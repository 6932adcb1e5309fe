import AuthenticationData
import AuthenticationDomain
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

#if os(watchOS)
func usesWhatExistsOnlyWithAuthenticationServices() -> [Any] {
  [WebAuthenticationSessionPresenter(), AppleIDAuthenticator(scopes: [.email])]
}
#else
func usesThePasskeysOfTheSystem(
  _ anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
) -> any PasskeyAuthenticator {
  PlatformPasskeyAuthenticator(prefersImmediatelyAvailable: true, anchor: anchor).checking(
    relyingPartyID: "example.org")
}

func usesTheWholeLifeOfPasskeys(
  _ manager: AuthManager, _ attempt: SignInAttempt, _ creation: PasskeyCreationOptions,
  _ anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
) async throws(AuthenticationError) {
  let authenticator = PlatformPasskeyAuthenticator(anchor: anchor)
  let passkeys = DevicePasskeys(of: manager, relyingPartyID: "example.org", authenticator: authenticator)
  _ = await passkeys.upgrade(after: attempt)
  _ = try await authenticator.createAccount(creation, contacts: [.emailAddress], asksForName: true)
}

func usesAppleAccountsOfTheSystem(
  _ anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
) -> any NativeAuthenticator & NativeCredentialSource {
  AppleIDAuthenticator(scopes: [.email], anchor: anchor)
}
#endif

#if os(tvOS)
func usesTheBrowserOfAPhone() -> any AuthorizationPresenter { WebAuthenticationSessionPresenter() }
#elseif !os(watchOS)
func usesTheBrowserOfTheSystem(
  _ anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
) -> any AuthorizationPresenter {
  WebAuthenticationSessionPresenter(isEphemeral: true, anchor: anchor)
}
#endif
