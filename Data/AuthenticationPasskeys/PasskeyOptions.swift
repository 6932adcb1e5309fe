import AuthenticationData
public import AuthenticationDomain
public import Foundation

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
  /// The server's opaque id of the user: 1 to 64 bytes.
  public let userID: Data
  /// Which account this is, such as an e-mail address; shown to the user.
  public let userName: String
  /// The user's name, shown to the user.
  public let userDisplayName: String
  /// COSE algorithms, best first (RFC 9053); ES256 and RS256 if the server named none.
  public let algorithms: [Int]
  /// How long the server lets the user take; nil if it did not say.
  public var timeout: Duration?
  /// Passkeys that the user has already: their authenticators must not create another one.
  public let excludedCredentials: [PasskeyDescriptor]
  /// `platform` or `cross-platform`; nil for either.
  public let attachment: String?
  /// Whether the passkey can be found without its id.
  public let residentKey: PasskeyRequirement
  /// Whether the authenticator checks who the user is.
  public let userVerification: PasskeyRequirement
  /// Which kinds of authenticator to offer first, such as `client-device`.
  public let hints: [String]
  /// Whether the server wants to know if the passkey can be found without its id (`credProps`, §10.1.3).
  public let asksForProperties: Bool

  /// Reads the options, with or without `publicKey` around them. What is unknown is ignored.
  ///
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if what is needed is missing; nothing of it is quoted.
  public init(json: Data) throws(AuthenticationError) {
    guard json.count <= maximumPasskeySize, let options = try? BoundedJSON.decode(Self.self, from: json) else {
      throw .malformedPasskeyOptions
    }
    self = options
  }
}

extension PasskeyCreationOptions: Decodable {
  /// ES256 and RS256, for a server that names none (WebAuthn Level 3 §5.1.3).
  private static let defaultAlgorithms = [-7, -257]

  public init(from decoder: any Decoder) throws {
    let members = try decoder.passkeyOptions()
    let user = try members.nestedContainer(keyedBy: PasskeyMember.self, forKey: .user)
    let selection = members.object(.authenticatorSelection)

    challenge = try members.bytes(.challenge)
    userID = try user.bytes(.id)
    guard (1...64).contains(userID.count) else {
      throw DecodingError.dataCorruptedError(forKey: .id, in: user, debugDescription: "This is not 1 to 64 bytes.")
    }
    userName = try user.decode(String.self, forKey: .name)
    userDisplayName = user.known(.displayName) ?? userName

    relyingPartyID = members.object(.rp)?.known(.id)
    let isOpen = members.known(.pubKeyCredParams, as: [Element].self)?.isEmpty ?? true
    algorithms = isOpen ? Self.defaultAlgorithms : members.list(.pubKeyCredParams, of: Algorithm.self).map(\.number)
    timeout = members.timeout()
    excludedCredentials = members.list(.excludeCredentials)
    attachment = selection?.known(.authenticatorAttachment)
    let requiresResidentKey = selection?.known(.requireResidentKey, as: Bool.self) ?? false
    residentKey = selection?.requirement(.residentKey) ?? (requiresResidentKey ? .required : .discouraged)
    userVerification = selection?.requirement(.userVerification) ?? .preferred
    hints = members.list(.hints)
    asksForProperties = members.object(.extensions)?.known(.credProps) ?? false
  }

  private struct Element: Decodable {
    init(from decoder: any Decoder) throws {}
  }

  private struct Algorithm: Decodable {
    let number: Int

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: PasskeyMember.self)
      try members.requirePublicKey()
      number = try members.decode(Int.self, forKey: .alg)
    }
  }
}

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
  /// How long the server lets the user take; nil if it did not say.
  public var timeout: Duration?
  /// The passkeys that may sign; empty for any of this domain.
  public let allowedCredentials: [PasskeyDescriptor]
  /// Whether the authenticator checks who the user is.
  public let userVerification: PasskeyRequirement
  /// Which kinds of authenticator to offer first, such as `client-device`.
  public let hints: [String]

  /// Reads the options, with or without `publicKey` around them. What is unknown is ignored.
  ///
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if what is needed is missing; nothing of it is quoted.
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

/// Names a passkey that a server knows (WebAuthn Level 3 §5.8.3).
public struct PasskeyDescriptor: Sendable, Hashable {
  /// The credential's id.
  public let id: Data
  /// How to reach the authenticator, such as `internal` or `hybrid`: hints, some of which may be unknown.
  public let transports: [String]

  /// For a test, or an authenticator of your own.
  public init(id: Data, transports: [String] = []) {
    self.id = id
    self.transports = transports
  }
}

extension PasskeyDescriptor: Decodable {
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: PasskeyMember.self)
    try members.requirePublicKey()
    self.init(id: try members.bytes(.id), transports: members.list(.transports))
  }
}

/// How much a server wants something (WebAuthn Level 3 §5.4.6, §5.8.6).
public enum PasskeyRequirement: String, Sendable, Hashable {
  /// Without it the server refuses the response.
  case required
  /// If it is possible.
  case preferred
  /// Better not.
  case discouraged
}

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

extension Decoder {
  /// The members of options in `{"publicKey": …}`, as browsers take them, or bare.
  func passkeyOptions() throws -> PasskeyMembers {
    let members = try container(keyedBy: PasskeyMember.self)
    return members.contains(.publicKey)
      ? try members.nestedContainer(keyedBy: PasskeyMember.self, forKey: .publicKey) : members
  }
}

// A client ignores what it does not know (WebAuthn Level 3 §2.1.1); what it needs must be there.
extension PasskeyMembers {
  /// A required member in base64url.
  func bytes(_ key: Key) throws -> Data {
    guard let bytes = Data(lenientBase64: try decode(String.self, forKey: key)) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "This is not base64url.")
    }
    return bytes
  }

  /// Nil also for a value of another kind.
  func known<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
    (try? decodeIfPresent(type, forKey: key)) ?? nil
  }

  func object(_ key: Key) -> PasskeyMembers? { try? nestedContainer(keyedBy: Key.self, forKey: key) }

  func requirement(_ key: Key) -> PasskeyRequirement? { known(key).flatMap(PasskeyRequirement.init(rawValue:)) }

  /// The elements that can be read; the others are skipped.
  func list<Element: Decodable>(_ key: Key, of type: Element.Type = Element.self) -> [Element] {
    known(key, as: [Skippable<Element>].self)?.compactMap(\.value) ?? []
  }

  /// In milliseconds, as an unsigned 32-bit number.
  func timeout() -> Duration? {
    known(.timeout, as: Double.self).map { .milliseconds(min(max($0, 0), Double(UInt32.max))) }
  }

  /// Throws for a descriptor or parameter of a type that is not known.
  func requirePublicKey() throws {
    guard try decode(String.self, forKey: .type) == publicKeyCredentialType else {
      throw DecodingError.dataCorruptedError(forKey: .type, in: self, debugDescription: "This type is not known.")
    }
  }
}

private struct Skippable<Value: Decodable>: Decodable {
  let value: Value?

  init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
