#if os(Linux)
import AuthenticationDomain

extension AuthenticationError {
  static let libsecretMissing = Self(
    .storageUnavailable, "libsecret is not installed, so that the Secret Service cannot be reached.",
    suggestion: "Install it (Debian: libsecret-1-0), or keep the session in files.")

  static let sessionBusMissing = Self(
    .storageUnavailable, "There is no D-Bus session here, and so no Secret Service.",
    suggestion: "Try again in the desktop's session; what is stored was left as it is.")

  static let keyringMissing = Self(
    .storageUnavailable, "The Secret Service has no default keyring.",
    suggestion: "Create one in the desktop's settings, or keep the session in files.")

  static let keyringLocked = Self(
    .storageUnavailable, "The keyring is locked.", suggestion: "Keep the session and try again once it is unlocked.")

  static let keyringNotUnlocked = Self(
    .userPresenceRequired, "The person did not unlock the keyring.",
    suggestion: "Keep the session and ask again when the person wants to go on.")

  static let keyringValueForeign = Self(
    .storageCorrupt, "What the keyring holds was not written here; it was left as it is.",
    suggestion: "Signing in replaces it.")

  static func secretServiceFailed(_ cause: Cause?) -> Self {
    Self(
      .storageUnavailable, "The Secret Service gave no usable answer.",
      suggestion: "Keep the session and try again; what is stored was left as it is.", cause: cause)
  }

  static func secretServiceLate(_ cause: Cause?) -> Self {
    Self(
      .storageUnavailable, "The Secret Service did not answer in time.",
      suggestion: "Keep the session and try again; what is stored was left as it is.", cause: cause)
  }
}
#endif
