/// The data of a symbol with its error correction (ISO/IEC 18004 §7.4 to §7.6).
struct QRCodewords {
  let blocks: [(data: [UInt8], correction: [UInt8])]

  init(_ bytes: [UInt8], in version: QRVersion) {
    let data = Self.data(bytes, in: version)
    let short = version.dataCount / version.blockCount
    let longer = version.dataCount % version.blockCount
    let code = ReedSolomon(count: version.correctionCount)
    var start = 0
    blocks = (0..<version.blockCount).map { block in
      let end = start + short + (block < version.blockCount - longer ? 0 : 1)
      defer { start = end }
      let part = Array(data[start..<end])
      return (part, code.correction(of: part))
    }
  }

  /// The first codeword of each block, then the second of each, and so on; the data first.
  var interleaved: [UInt8] { Self.interleave(blocks.map(\.data)) + Self.interleave(blocks.map(\.correction)) }

  /// Byte mode, the length, the bytes, the end, and what fills the rest.
  private static func data(_ bytes: [UInt8], in version: QRVersion) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) { for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) } }
    append(0b0100, 4)
    append(bytes.count, version.lengthBits)
    for byte in bytes { append(Int(byte), 8) }
    append(0, min(4, version.dataCount * 8 - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var codewords = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<(start + 8)].reduce(0 as UInt8) { $0 << 1 | ($1 ? 1 : 0) }
    }
    for index in 0..<(version.dataCount - codewords.count) { codewords.append(index.isMultiple(of: 2) ? 0xEC : 0x11) }
    return codewords
  }

  private static func interleave(_ blocks: [[UInt8]]) -> [UInt8] {
    (0..<(blocks.map(\.count).max() ?? 0)).flatMap { index in
      blocks.compactMap { $0.indices.contains(index) ? $0[index] : nil }
    }
  }
}
