import AuthenticationData
import AuthenticationOpenID
import AuthenticationServices

func usesWhatExistsOnlyWithSecurity() -> any SecureStorage {
  KeychainStorage(
    service: "probe", accessGroup: "TEAM.probe", accessibility: .whenUnlockedThisDeviceOnly,
    localAuthentication: .currentBiometry)
}

func usesWhatExistsOnlyWithAuthenticationServices(
  _ anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
) -> any AuthorizationPresenter {
  WebAuthenticationSessionPresenter(isEphemeral: true, anchor: anchor)
}
