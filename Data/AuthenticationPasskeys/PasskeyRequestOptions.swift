import AuthenticationData
public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a server wants signed with a passkey (`PublicKeyCredentialRequestOptionsJSON`, WebAuthn Level 3 §5.1.9).
///
/// ```swift
/// let options = try PasskeyRequestOptions(json: response.body)
/// let assertion = try await authenticator.checking(relyingPartyID: "example.org").sign(options, presentation: .modal)
/// request.httpBody = assertion.json
/// ```
public struct PasskeyRequestOptions: Sendable, Hashable {
  /// The domain whose passkeys may sign; nil if the server leaves it to the client.
  public var relyingPartyID: String?
  /// Random bytes that the response must contain.
  public let challenge: Data
  /// How long the server lets the person take; nil if it did not say.
  public var timeout: Duration?
  /// The passkeys that may sign; empty for any of this domain.
  public let allowedCredentials: [PasskeyDescriptor]
  /// Whether the authenticator checks who the person is.
  public let userVerification: PasskeyRequirement
  /// Which kinds of authenticator to offer first, such as `client-device`.
  public let hints: [String]

  /// Reads the options, with or without `publicKey` around them. What is unknown is ignored.
  ///
  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer`` if what is needed is missing; nothing of it is quoted.
  public init(json: Data) throws(AuthenticationError) {
    guard json.count <= maximumPasskeySize, let options = try? BoundedJSON.decode(Self.self, from: json) else {
      throw .malformedPasskeyOptions
    }
    self = options
  }
}

extension PasskeyRequestOptions: Decodable {
  public init(from decoder: any Decoder) throws {
    let members = try decoder.passkeyOptions()
    challenge = try members.bytes(.challenge)
    relyingPartyID = members.known(.rpId)
    timeout = members.timeout()
    allowedCredentials = members.list(.allowCredentials)
    userVerification = members.requirement(.userVerification) ?? .preferred
    hints = members.list(.hints)
  }
}
