import Foundation

/// A text as a QR code (ISO/IEC 18004): in byte mode, at the error correction level M, of versions 1 to 15.
///
/// ```swift
/// let code = QRCode("https://id.example.com/device?user_code=WDJB-MJHT")
/// print(code?.halfBlocks ?? "")
/// ```
package struct QRCode: Sendable, Hashable {
  /// By rows, without the margin; true is dark.
  package let modules: [[Bool]]

  /// - Returns: nil for a text of more than 412 bytes.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let version = QRVersion.smallest(forBytes: bytes.count) else { return nil }
    let codewords = version.codewords(of: bytes)
    let grids = (0..<8).map { QRGrid(version, codewords, mask: $0) }
    // The mask whose pattern resembles the least the marks of a scanner (§7.8.3).
    let penalties = grids.map(\.penalty)
    modules = grids[penalties.firstIndex(of: penalties.min() ?? 0) ?? 0].dark
  }

  /// For a terminal: two modules in a character, black on white with any colours, with the margin.
  package var halfBlocks: String {
    let side = modules.count + 2 * Self.margin
    return stride(from: 0, to: side, by: 2).map { y in
      let characters = (0..<side).map { x in
        isDark(x, y) ? isDark(x, y + 1) ? "█" : "▀" : isDark(x, y + 1) ? "▄" : " "
      }
      return "\u{1B}[30;107m\(characters.joined())\u{1B}[0m\n"
    }.joined()
  }

  /// The light modules around it that a scanner needs (ISO/IEC 18004 §6.3.8).
  private static let margin = 4

  private func isDark(_ x: Int, _ y: Int) -> Bool {
    let (x, y) = (x - Self.margin, y - Self.margin)
    return modules.indices.contains(x) && modules.indices.contains(y) && modules[y][x]
  }
}

extension Console {
  /// A picture at a terminal; nothing elsewhere, and nothing for a text that is too long for one.
  func draw(_ text: String) {
    guard isatty(STDERR_FILENO) == 1, let code = QRCode(text) else { return }
    ask(code.halfBlocks)
  }
}

/// The data of a symbol with its error correction (ISO/IEC 18004 §7.4 to §7.6).
extension QRVersion {
  /// The first codeword of each block, then the second of each, and so on; the data first.
  fileprivate func codewords(of bytes: [UInt8]) -> [UInt8] {
    let data = data(bytes)
    let (short, longer) = dataCount.quotientAndRemainder(dividingBy: blockCount)
    let code = ReedSolomon(count: correctionCount)
    var start = 0
    let blocks = (0..<blockCount).map { block in
      let end = start + short + (block < blockCount - longer ? 0 : 1)
      defer { start = end }
      return Array(data[start..<end])
    }
    return Self.interleave(blocks) + Self.interleave(blocks.map(code.correction))
  }

  /// Byte mode, the length, the bytes, the end, and the filling of the rest.
  private func data(_ bytes: [UInt8]) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) { for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) } }
    append(0b0100, 4)
    append(bytes.count, lengthBits)
    for byte in bytes { append(Int(byte), 8) }
    append(0, min(4, dataCount * 8 - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var codewords = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<(start + 8)].reduce(0 as UInt8) { $0 << 1 | ($1 ? 1 : 0) }
    }
    for index in 0..<(dataCount - codewords.count) { codewords.append(index.isMultiple(of: 2) ? 0xEC : 0x11) }
    return codewords
  }

  private static func interleave(_ blocks: [[UInt8]]) -> [UInt8] {
    (0..<(blocks.map(\.count).max() ?? 0)).flatMap { index in
      blocks.compactMap { $0.indices.contains(index) ? $0[index] : nil }
    }
  }
}

/// The size of a symbol, and how its codewords are divided (ISO/IEC 18004 §7.1, tables 1, 7 and 9, level M).
struct QRVersion: Sendable, Hashable {
  let number: Int

  private static let codewords = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346, 404, 466, 532, 581, 655]
  private static let correctionCodewords = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24]
  private static let blocks = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10]

  static func smallest(forBytes count: Int) -> Self? {
    (1...blocks.count).lazy.map(Self.init(number:)).first { $0.capacity >= count }
  }

  /// Modules on a side.
  var size: Int { 17 + 4 * number }
  var blockCount: Int { Self.blocks[number - 1] }
  /// Of each block.
  var correctionCount: Int { Self.correctionCodewords[number - 1] }
  var dataCount: Int { Self.codewords[number - 1] - blockCount * correctionCount }
  /// The bits that say how many bytes follow (table 3).
  var lengthBits: Int { number < 10 ? 8 : 16 }
  /// The bytes that fit in addition to the mode and the length.
  var capacity: Int { (dataCount * 8 - 4 - lengthBits) / 8 }

  /// Of the centres of the alignment patterns, in both directions (annex E).
  var alignmentCentres: [Int] {
    guard number > 1 else { return [] }
    let count = number / 7 + 2
    let step = (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
    return [6] + (0..<(count - 1)).reversed().map { size - 7 - $0 * step }
  }
}

/// Error correction codewords over GF(2⁸) with the polynomial 0x11D (ISO/IEC 18004 §7.5.2).
struct ReedSolomon {
  /// Of the generator polynomial, the highest power first and without its leading 1.
  private let generator: [UInt8]

  init(count: Int) {
    var generator: [UInt8] = Array(repeating: 0, count: count - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<count {
      for index in generator.indices {
        generator[index] = Self.product(generator[index], root)
        if index + 1 < count { generator[index] ^= generator[index + 1] }
      }
      root = Self.product(root, 2)
    }
    self.generator = generator
  }

  /// The remainder of the data, divided by the generator.
  func correction(of data: [UInt8]) -> [UInt8] {
    var remainder = Array(repeating: 0 as UInt8, count: generator.count)
    for byte in data {
      let factor = byte ^ remainder.removeFirst()
      remainder.append(0)
      for (index, coefficient) in generator.enumerated() { remainder[index] ^= Self.product(coefficient, factor) }
    }
    return remainder
  }

  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var product = 0
    for bit in (0..<8).reversed() {
      product = product << 1 ^ (product >> 7) * 0x11D
      if right >> bit & 1 == 1 { product ^= Int(left) }
    }
    return UInt8(product)
  }
}
