#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
