import AuthenticationData
public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a server wants of a new passkey (`PublicKeyCredentialCreationOptionsJSON`, WebAuthn Level 3 §5.1.8).
///
/// ```swift
/// let options = try PasskeyCreationOptions(json: response.body)
/// let registration = try await authenticator.checking(relyingPartyID: "example.org").register(options)
/// request.httpBody = registration.json
/// ```
public struct PasskeyCreationOptions: Sendable, Hashable {
  /// The domain that the passkey is for; nil if the server leaves it to the client.
  public var relyingPartyID: String?
  /// Random bytes that the response must contain.
  public let challenge: Data
  /// The server's opaque id of the person: 1 to 64 bytes.
  public let userID: Data
  /// Which account this is, such as an e-mail address; shown to the person.
  public let userName: String
  /// The person's name, shown to the person.
  public let userDisplayName: String
  /// COSE algorithms, best first (RFC 9053); ES256 and RS256 if the server named none.
  public let algorithms: [Int]
  /// How long the server lets the person take; nil if it did not say.
  public var timeout: Duration?
  /// Passkeys that the person has already: their authenticators must not create another one.
  public let excludedCredentials: [PasskeyDescriptor]
  /// `platform` or `cross-platform`; nil for either.
  public let attachment: String?
  /// Whether the passkey can be found without its id.
  public let residentKey: PasskeyRequirement
  /// Whether the authenticator checks who the person is.
  public let userVerification: PasskeyRequirement
  /// Which kinds of authenticator to offer first, such as `client-device`.
  public let hints: [String]
  /// Whether the server wants to know if the passkey can be found without its id (`credProps`, §10.1.3).
  public let asksForProperties: Bool

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
