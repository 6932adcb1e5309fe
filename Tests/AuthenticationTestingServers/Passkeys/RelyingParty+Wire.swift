#if Tools
extension RelyingParty {
  /// `PublicKeyCredentialCreationOptionsJSON` or `…RequestOptionsJSON` (WebAuthn Level 3 §5.1.8, §5.1.9).
  package struct Options: Encodable, Sendable {
    struct Party: Encodable {
      let id: String
      let name: String
    }

    struct User: Encodable {
      let id: String
      let name: String
      let displayName: String
    }

    struct Algorithm: Encodable {
      let type = "public-key"
      let alg: Int
    }

    struct Descriptor: Encodable {
      let type = "public-key"
      let id: String
    }

    struct Selection: Encodable {
      let residentKey = "required"
      let userVerification = "required"
    }

    let challenge: String
    var rp: Party?
    var user: User?
    var pubKeyCredParams: [Algorithm]?
    var excludeCredentials: [Descriptor]?
    var authenticatorSelection: Selection?
    var attestation: String?
    var rpId: String?
    var allowCredentials: [Descriptor]?
    var userVerification: String?
  }

  /// The common members of both responses (WebAuthn Level 3 §5.1.6).
  package struct Response: Decodable, Sendable {
    struct Contents: Decodable {
      let clientDataJSON: String
      let authenticatorData: String
      let signature: String?
      let userHandle: String?
    }

    package let id: String
    let response: Contents
  }
}
#endif
