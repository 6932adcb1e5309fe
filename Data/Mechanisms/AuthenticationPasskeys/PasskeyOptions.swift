import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// A server's requirements for a new passkey (`PublicKeyCredentialCreationOptionsJSON`, WebAuthn Level 3 §5.1.8).
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
  /// Whether the authenticator verifies the user.
  public let userVerification: PasskeyRequirement
  /// Which kinds of authenticator to offer first, such as `client-device`.
  public let hints: [String]
  /// Whether the server wants to know if the passkey can be found without its id (`credProps`, §10.1.3).
  public let asksForProperties: Bool

  /// Reads the options, with or without `publicKey` around them. Unknown members are ignored.
  ///
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if a required member is missing; nothing of it is quoted.
  public init(json: Data) throws(AuthenticationError) { self = try .read(json) }
}

extension PasskeyCreationOptions: PasskeyOptions {
  /// ES256 and RS256, for a server that names none (WebAuthn Level 3 §5.1.3).
  private static let defaultAlgorithms = [-7, -257]

  init(_ members: JSONMembers) throws {
    guard let user = members.members("user"), let name = user.text("name") else { throw UnusableOptions() }
    let selection = members.members("authenticatorSelection")

    challenge = try members.bytes("challenge")
    userID = try user.bytes("id")
    guard (1...64).contains(userID.count) else { throw UnusableOptions() }
    userName = name
    userDisplayName = user.text("displayName") ?? name

    relyingPartyID = members.members("rp")?.text("id")
    algorithms =
      members.list("pubKeyCredParams").isEmpty
      ? Self.defaultAlgorithms
      : members.publicKeys("pubKeyCredParams").compactMap { $0.values["alg"]?.number.flatMap { Int(exactly: $0) } }
    timeout = members.timeout
    excludedCredentials = members.credentials("excludeCredentials")
    attachment = selection?.text("authenticatorAttachment")
    let requiresResidentKey = selection?.flag("requireResidentKey") ?? false
    residentKey = selection?.requirement("residentKey") ?? (requiresResidentKey ? .required : .discouraged)
    userVerification = selection?.requirement("userVerification") ?? .preferred
    hints = members.texts("hints")
    asksForProperties = members.members("extensions")?.flag("credProps") ?? false
  }
}

/// A server's request for a signature with a passkey (`PublicKeyCredentialRequestOptionsJSON`, WebAuthn Level 3
/// §5.1.9).
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
  /// Whether the authenticator verifies the user.
  public let userVerification: PasskeyRequirement
  /// Which kinds of authenticator to offer first, such as `client-device`.
  public let hints: [String]

  /// Reads the options, with or without `publicKey` around them. Unknown members are ignored.
  ///
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if a required member is missing; nothing of it is quoted.
  public init(json: Data) throws(AuthenticationError) { self = try .read(json) }
}

extension PasskeyRequestOptions: PasskeyOptions {
  init(_ members: JSONMembers) throws {
    challenge = try members.bytes("challenge")
    relyingPartyID = members.text("rpId")
    timeout = members.timeout
    allowedCredentials = members.credentials("allowCredentials")
    userVerification = members.requirement("userVerification") ?? .preferred
    hints = members.texts("hints")
  }
}

/// The `type` of everything that WebAuthn's JSON describes.
let publicKeyCredentialType = "public-key"

/// In bytes: of one message of a server or an authenticator.
let maximumPasskeySize = 65536

private struct UnusableOptions: Error {}

/// Options that are read from WebAuthn's JSON.
protocol PasskeyOptions: Decodable {
  init(_ members: JSONMembers) throws
}

extension PasskeyOptions {
  fileprivate static func read(_ json: Data) throws(AuthenticationError) -> Self {
    guard json.count <= maximumPasskeySize, let options = try? BoundedJSON.decode(Self.self, from: json) else {
      throw .malformedPasskeyOptions
    }
    return options
  }

  public init(from decoder: any Decoder) throws { try self.init(JSONMembers(passkeyOptions: decoder)) }
}

/// An object of WebAuthn's JSON (WebAuthn Level 3 §5.1). A value that is unknown, or of another kind, counts as absent
/// (§2.1.1); the members that a client needs must be there.
extension JSONMembers {
  /// Options in `{"publicKey": …}`, as browsers take them, or bare.
  fileprivate init(passkeyOptions decoder: any Decoder) throws {
    let outer = JSONMembers(try [String: JSONValue](from: decoder))
    guard let options = outer.values["publicKey"] == nil ? outer : outer.members("publicKey") else {
      throw UnusableOptions()
    }
    self = options
  }

  /// A text, which may be empty.
  fileprivate func text(_ name: String) -> String? { values[name]?.text }

  /// A required member in base64url.
  fileprivate func bytes(_ name: String) throws -> Data {
    guard let bytes = text(name).flatMap({ Data(lenientBase64: $0) }) else { throw UnusableOptions() }
    return bytes
  }

  fileprivate func requirement(_ name: String) -> PasskeyRequirement? { self[name].flatMap(PasskeyRequirement.init) }

  /// Descriptors and parameters of the type that is known; the others are skipped.
  fileprivate func publicKeys(_ name: String) -> [JSONMembers] {
    list(name).filter { $0["type"] == publicKeyCredentialType }
  }

  /// Those that can be read; the others are skipped.
  fileprivate func credentials(_ name: String) -> [PasskeyDescriptor] {
    publicKeys(name).compactMap { members in
      (try? members.bytes("id")).map { PasskeyDescriptor(id: $0, transports: members.texts("transports")) }
    }
  }

  /// In milliseconds, as an unsigned 32-bit number.
  fileprivate var timeout: Duration? {
    values["timeout"]?.number.map { .milliseconds(min(max($0, 0), Double(UInt32.max))) }
  }
}
