/// The names that WebAuthn's JSON has (WebAuthn Level 3 §5.1).
enum PasskeyMember: String, CodingKey {
  case publicKey, challenge, timeout, extensions, hints, userVerification
  case rp, rpId, user, id, name, displayName, pubKeyCredParams, type, alg, transports
  case excludeCredentials, allowCredentials
  case authenticatorSelection, authenticatorAttachment, residentKey, requireResidentKey
  case credProps, rk, rawId, clientExtensionResults, response
  case clientDataJSON, attestationObject, authenticatorData, signature, userHandle, publicKeyAlgorithm
}

typealias PasskeyMembers = KeyedDecodingContainer<PasskeyMember>

/// The `type` of everything that WebAuthn's JSON describes.
let publicKeyCredentialType = "public-key"

/// In bytes: of what a server or an authenticator sends at once.
let maximumPasskeySize = 65536
