#if Tools && OpenID
import Foundation

/// Writes a JWS in compact form (RFC 7515 §7.1).
enum SignedToken {
  static func make(
    _ claims: JSON, header: [String: JSON], key: SigningKey, signature kind: LoopbackOpenIDIssuer.Quirks.Signature
  ) throws -> String {
    let usual: JSON = ["alg": .string(key.algorithm.rawValue), "kid": .string(key.id), "typ": "JWT"]
    let signed = [usual.replacing(header), claims].map { URLSafe.encode(Data($0.text.utf8)) }.joined(separator: ".")
    var signature = try key.sign(Data(signed.utf8))
    switch kind {
    case .valid, .ofAnotherKey: break
    case .altered: signature[signature.startIndex] ^= 1
    case .missing: signature = Data()
    }
    return signed + "." + URLSafe.encode(signature)
  }
}
#endif
