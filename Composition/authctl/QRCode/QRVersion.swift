/// The size of a symbol, and how its codewords are divided (ISO/IEC 18004 §7.1, tables 7 and 9, level M).
struct QRVersion: Sendable, Hashable {
  let number: Int

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
  var dataCount: Int { codewordCount - blockCount * correctionCount }
  /// The bits that say how many bytes follow (table 3).
  var lengthBits: Int { number < 10 ? 8 : 16 }
  /// The bytes that fit beside the mode and the length.
  var capacity: Int { (dataCount * 8 - 4 - lengthBits) / 8 }

  /// Of the centres of the alignment patterns, in both directions (annex E).
  var alignmentCentres: [Int] {
    guard number > 1 else { return [] }
    let count = number / 7 + 2
    let step = (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
    return [6] + (0..<(count - 1)).reversed().map { size - 7 - $0 * step }
  }

  /// All the modules but those of the patterns, of the format and of the version (§7.3).
  private var codewordCount: Int {
    let centres = alignmentCentres.count
    // An alignment pattern that lies on a timing pattern covers five of its modules already.
    let alignment = centres == 0 ? 0 : (centres * centres - 3) * 25 - (centres - 2) * 2 * 5
    let functions = 3 * 64 + 2 * (size - 16) + alignment + 31 + (number < 7 ? 0 : 36)
    return (size * size - functions) / 8
  }
}
