#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
import AuthenticationDomain
import AuthenticationServices

/// What the system returns for a request of ours.
enum PlatformPasskeyResponse: Sendable {
  case registration(PasskeyRegistration)
  case assertion(PasskeyAssertion)

  init(_ credential: any ASAuthorizationCredential, isDiscoverable: Bool?) throws(AuthenticationError) {
    switch credential {
    case let credential as ASAuthorizationPlatformPublicKeyCredentialRegistration:
      guard let object = credential.rawAttestationObject else { throw .malformedPasskeyResponse }
      let isHere = credential.attachment == .platform
      self = .registration(
        try PasskeyRegistration(
          credentialID: credential.credentialID, clientDataJSON: credential.rawClientDataJSON,
          attestationObject: object, attachment: credential.attachment.name,
          transports: isHere ? ["hybrid", "internal"] : ["hybrid"], isDiscoverable: isDiscoverable))
    case let credential as ASAuthorizationPlatformPublicKeyCredentialAssertion:
      guard let data = credential.rawAuthenticatorData, let signature = credential.signature else {
        throw .malformedPasskeyResponse
      }
      self = .assertion(
        try PasskeyAssertion(
          credentialID: credential.credentialID, clientDataJSON: credential.rawClientDataJSON,
          authenticatorData: data, signature: signature, userHandle: credential.userID,
          attachment: credential.attachment.name))
    default: throw .malformedPasskeyResponse
    }
  }
}

extension ASAuthorizationPublicKeyCredentialAttachment {
  fileprivate var name: String? {
    switch self {
    case .platform: "platform"
    case .crossPlatform: "cross-platform"
    @unknown default: nil
    }
  }
}

extension ASAuthorizationPublicKeyCredentialUserVerificationPreference {
  init(_ requirement: PasskeyRequirement) {
    self =
      switch requirement {
      case .required: .required
      case .preferred: .preferred
      case .discouraged: .discouraged
      }
  }
}
#endif
