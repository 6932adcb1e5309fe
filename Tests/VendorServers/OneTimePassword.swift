#if Tools && OpenID
import Crypto
package import Foundation

/// The codes of an authenticator app (RFC 6238): SHA-1, 30 seconds, 6 digits.
package enum OneTimePassword {
  /// The code of a secret in base32 at a time (UTC); empty if the secret is not base32.
  package static func code(secret: String, at now: Date) -> String {
    code(secret: secret, step: step(at: now))
  }

  static func code(secret: String, step: Int) -> String {
    guard let key = bytes(ofBase32: secret) else { return "" }
    let counter = Data((0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) })
    let hash = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: key)))
    let offset = Int(hash[19] & 0xF)
    let number = hash[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
    return Digits.six(number)
  }

  static func step(at now: Date) -> Int { Int(now.timeIntervalSince1970) / 30 }

  /// The step of a code that is right now, just was, or will be next; nil for any other code.
  static func step(of code: String, secret: String, at now: Date) -> Int? {
    let current = step(at: now)
    return (current - 1...current + 1).first { self.code(secret: secret, step: $0) == code }
  }

  /// A secret of 160 bits.
  static func makeSecret() -> String {
    var random = SystemRandomNumberGenerator()
    return String((0..<32).map { _ in alphabet[Int.random(in: 0..<32, using: &random)] })
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

  private static func bytes(ofBase32 text: String) -> Data? {
    var (bytes, buffer, bits) = (Data(), 0, 0)
    for character in text.uppercased() where character != "=" {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      (buffer, bits) = ((buffer << 5 | value) & 0xFFFF, bits + 5)
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(buffer >> bits & 0xFF))
      }
    }
    return bytes
  }
}

/// Codes as a text message has them.
enum Digits {
  static func six(_ number: Int) -> String {
    let digits = String(number % 1_000_000)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// Another code for each number, and none that follows from the one before at a glance.
  static func code(_ number: Int, length: Int = 6) -> String {
    String((six(271_828 + number * 104_729) + six(577_215 + number * 7_919)).prefix(length))
  }
}
#endif
