import Foundation
import Testing

@testable import AuthenticationData
@testable import AuthenticationPasskeys

@Suite struct Base64URLTests {
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy"),
  ])
  func `the vectors of RFC 4648 are written without padding, and read with and without`(plain: String, text: String) {
    #expect(Data(plain.utf8).base64URL == text)
    let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    #expect(Data(lenientBase64: text) == Data(plain.utf8))
    #expect(Data(lenientBase64: padded) == Data(plain.utf8))
  }

  @Test func `both alphabets are read, one is written`() {
    let bytes = Data([0xFB, 0xEF, 0xFF])
    #expect(bytes.base64URL == "--__")
    #expect(["--__", "++//", "-+_/"].allSatisfy { Data(lenientBase64: $0) == bytes })
  }

  @Test(arguments: [
    "Z", "Zm9vY", "Zg=", "Zg===", "=", "Zg=a", "Z=g=", "Zm 8", "Zm8\n", "Zm.8", "Zmé8", "====", "Zg==Zg==",
  ])
  func `a text that is neither base64 nor base64url is refused`(text: String) {
    #expect(Data(lenientBase64: text) == nil)
  }
}
