import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct Base64URLTests {
  @Test func `any bytes come back`() {
    var generator = SystemRandomNumberGenerator()
    for length in 0..<200 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let text = Base64URL.encode(bytes)
      let standard = Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
      #expect(text == standard)
      #expect(Base64URL.decode(text) == Data(bytes))
    }
  }

  @Test func `the example of RFC 7515 C is as printed`() {
    #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
    #expect(Base64URL.decode("A-z_4ME") == Data([3, 236, 255, 224, 193]))
  }

  @Test(arguments: [
    "A", "AAAAA", "AA==", "AAA=", "AA A", "AAAA\n", " AAAA", "A+A_", "A/A_", "AAÄ", "AAA\u{0}", "AB", "AAB", "A-z_4MF",
    "AAAA.", "....",
  ])
  func `text that is not the one encoding of some bytes is refused`(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test func `each byte that is no digit is refused in each place`() {
    let digits = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for byte in UInt8.min...UInt8.max where !digits.contains(byte) {
      for length in [2, 3, 4, 6, 7, 8] {
        for place in 0..<length {
          var text = [UInt8](repeating: UInt8(ascii: "A"), count: length)
          text[place] = byte
          #expect(Base64URL.decode(text[...]) == nil)
        }
      }
    }
  }
}
