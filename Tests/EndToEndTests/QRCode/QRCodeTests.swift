import Testing

@testable import AuthCTLCommands

/// Numbers of ISO/IEC 18004, written down from its annexes; that whole symbols can be read is for
/// Tests/EndToEnd/QRCodes/run to show.
@Suite struct QRCodeTests {
  @Test func `the example of annex I gets its error correction codewords`() {
    let data: [UInt8] = [
      0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
    ]
    #expect(
      ReedSolomon(count: 10).correction(of: data)
        == [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55])
  }

  @Test(arguments: [(0, 0b101010000010010), (5, 0b100000011001110)])
  func `the format has the check bits of annex C`(mask: Int, bits: Int) {
    #expect(QRGrid.format(mask: mask) == bits)
  }

  @Test func `the version has the check bits of annex D`() {
    #expect(QRGrid.version(7) == 0b000111110010010100)
  }

  @Test(arguments: [(1, 14), (2, 26), (6, 106), (7, 122), (9, 180), (10, 213), (13, 331), (15, 412)])
  func `a version holds as many bytes as table 7 says`(number: Int, bytes: Int) {
    #expect(QRVersion(number: number).capacity == bytes)
    #expect(QRVersion.smallest(forBytes: bytes)?.number == number)
  }

  @Test(arguments: [(1, []), (2, [6, 18]), (7, [6, 22, 38]), (14, [6, 26, 46, 66]), (15, [6, 26, 48, 70])])
  func `alignment patterns lie where annex E says`(number: Int, centres: [Int]) {
    #expect(QRVersion(number: number).alignmentCentres == centres)
  }

  @Test func `a text that no version holds has no code`() {
    #expect(QRCode(String(repeating: "a", count: 412))?.modules.count == 77)
    #expect(QRCode(String(repeating: "a", count: 413)) == nil)
    #expect(QRCode(String(repeating: "é", count: 207)) == nil)
  }

  @Test func `a terminal gets two rows in a line, with a margin of four light modules`() throws {
    let code = try #require(QRCode("https://id.example.com/device"))
    let lines = code.halfBlocks.split(separator: "\n")
    let side = code.modules.count + 8
    #expect(lines.count == (side + 1) / 2)
    #expect(lines.first == "\u{1B}[30;107m\(String(repeating: " ", count: side))\u{1B}[0m")
    #expect(lines[2].contains("█▀▀▀▀▀█"))
  }
}
