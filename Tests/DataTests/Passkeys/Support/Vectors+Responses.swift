import AuthenticationDomain
import Foundation

@testable import AuthenticationData
@testable import AuthenticationPasskeys

extension PasskeyRegistration {
  init(_ vector: WebAuthnVector, attestationObject: Data? = nil) throws(AuthenticationError) {
    try self.init(
      credentialID: vector.registration.credentialID, clientDataJSON: vector.registration.clientDataJSON,
      attestationObject: attestationObject ?? vector.registration.attestationObject)
  }
}

extension PasskeyAssertion {
  init(
    _ vector: WebAuthnVector, authenticatorData: Data? = nil, clientDataJSON: Data? = nil
  ) throws(AuthenticationError) {
    try self.init(
      credentialID: vector.registration.credentialID,
      clientDataJSON: clientDataJSON ?? vector.authentication.clientDataJSON,
      authenticatorData: authenticatorData ?? vector.authentication.authenticatorData,
      signature: vector.authentication.signature)
  }
}
