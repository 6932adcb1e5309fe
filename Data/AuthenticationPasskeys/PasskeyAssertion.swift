public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a passkey signed, well-formed but not yet believed: the server verifies it (WebAuthn Level 3 §7.2).
public struct PasskeyAssertion: Sendable {
  /// The id of the credential that signed.
  public let credentialID: Data
  /// `platform` or `cross-platform`; nil if that is not known.
  public let attachment: String?

  let clientDataJSON: Data
  let clientData: CollectedClientData
  let rawAuthenticatorData: Data
  let authenticatorData: AuthenticatorData
  let signature: Data
  let userHandle: Data?

  /// What an authenticator returned, as it returned it: a byte more or less, and the server refuses it.
  ///
  /// - Parameters:
  ///   - credentialID: which passkey signed.
  ///   - clientDataJSON: what was signed for: the challenge and the origin (WebAuthn §5.8.1).
  ///   - authenticatorData: what the authenticator says of itself and of the person (WebAuthn §6.1).
  ///   - signature: over the authenticator data and the SHA-256 of the client data; in DER if it is ECDSA.
  ///   - userHandle: the server's opaque id of the person; nil if the authenticator does not keep it.
  ///   - attachment: `platform` or `cross-platform`; nil if it is not known.
  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer`` if it is not well-formed; nothing of it is quoted.
  public init(
    credentialID: Data, clientDataJSON: Data, authenticatorData: Data, signature: Data, userHandle: Data? = nil,
    attachment: String? = nil
  ) throws(AuthenticationError) {
    guard let clientData = CollectedClientData(clientDataJSON), !credentialID.isEmpty, !signature.isEmpty,
      let data = try? AuthenticatorData(Array(authenticatorData))
    else { throw .malformedPasskeyResponse }
    self.credentialID = credentialID
    self.clientDataJSON = clientDataJSON
    self.clientData = clientData
    rawAuthenticatorData = authenticatorData
    self.authenticatorData = data
    self.signature = signature
    self.userHandle = userHandle.flatMap { $0.isEmpty ? nil : $0 }
    self.attachment = attachment
  }

  /// The response to send: `AuthenticationResponseJSON` (WebAuthn Level 3 §5.1.6), UTF-8.
  public var json: Data { PasskeyResponseWire(self).json }
}

extension PasskeyAssertion: Encodable {
  public func encode(to encoder: any Encoder) throws { try PasskeyResponseWire(self).encode(to: encoder) }
}

extension PasskeyAssertion: CustomStringConvertible, CustomReflectable {
  public var description: String { "<PasskeyAssertion>" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
