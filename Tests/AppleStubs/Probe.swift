import AuthenticationData

func usesWhatExistsOnlyWithSecurity() -> any SecureStorage {
  KeychainStorage(service: "probe", accessGroup: "TEAM.probe", accessibility: .whenUnlockedThisDeviceOnly,
    localAuthentication: .currentBiometry)
}
