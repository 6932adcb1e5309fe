import AuthenticationData
import AuthenticationPasskeys
import Foundation

@testable import AuthenticationTestingServers

/// The part of a response that a server reads.
struct WrittenPasskey: Decodable {
  struct Response: Decodable {
    let clientDataJSON: Data
    let authenticatorData: Data?
    let publicKey: Data?
    let publicKeyAlgorithm: Int?
    let signature: Data?
    let userHandle: Data?
  }

  let id: Data
  let response: Response

  init(_ json: Data) throws {
    let decoder = JSONDecoder()
    decoder.dataDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      guard let bytes = URLSafe.decode(text) else { throw CocoaError(.coderReadCorrupt) }
      return bytes
    }
    self = try decoder.decode(Self.self, from: json)
  }
}

extension PasskeyCreationOptions {
  static func creation(
    challenge: Data = Data(repeating: 1, count: 32), algorithm: Int = -7, excluding excluded: [Data] = [],
    verification: String = "preferred"
  ) throws -> Self {
    let json: JSON = [
      "rp": ["id": "example.org", "name": "Example"],
      "user": ["id": "dXNlcg", "name": "ada@example.org", "displayName": "Ada"],
      "challenge": .string(URLSafe.encode(challenge)),
      "pubKeyCredParams": [["type": "public-key", "alg": .integer(algorithm)]],
      "excludeCredentials": .descriptors(excluded),
      "authenticatorSelection": ["userVerification": .string(verification)],
    ]
    return try Self(json: Data(json.text.utf8))
  }
}

extension PasskeyRequestOptions {
  static func request(
    challenge: Data = Data(repeating: 2, count: 32), domain: String = "example.org", allowing allowed: [Data] = [],
    verification: String = "preferred"
  ) throws -> Self {
    let json: JSON = [
      "rpId": .string(domain), "challenge": .string(URLSafe.encode(challenge)),
      "allowCredentials": .descriptors(allowed), "userVerification": .string(verification),
    ]
    return try Self(json: Data(json.text.utf8))
  }
}

extension JSON {
  fileprivate static func descriptors(_ ids: [Data]) -> JSON {
    .array(ids.map { ["type": "public-key", "id": .string(URLSafe.encode($0))] })
  }
}
