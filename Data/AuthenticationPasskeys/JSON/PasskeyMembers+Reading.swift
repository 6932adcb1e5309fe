import AuthenticationData
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
