/// The modules of a symbol, and which of them are not data (ISO/IEC 18004 §6.3).
struct QRGrid {
  let version: QRVersion
  private(set) var dark: [[Bool]]
  /// Of the patterns, the format and the version.
  private(set) var isFunction: [[Bool]]

  /// With all that does not depend on the data.
  init(_ version: QRVersion) {
    self.version = version
    let size = version.size
    dark = Array(repeating: Array(repeating: false, count: size), count: size)
    isFunction = dark
    for index in 0..<size {
      set(6, index, index.isMultiple(of: 2))
      set(index, 6, index.isMultiple(of: 2))
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawRings(x, y, radius: 4) }
    drawAlignment()
    drawFormat(mask: 0)
    drawVersion()
  }

  mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
    guard dark.indices.contains(x), dark.indices.contains(y) else { return }
    dark[y][x] = isDark
    isFunction[y][x] = true
  }

  /// Data, module by module: pairs of columns from the right, upwards and downwards in turn, past the timing pattern
  /// (§7.7.3).
  func placing(_ codewords: [UInt8]) -> Self {
    var grid = self
    var bit = 0
    let pairs = stride(from: version.size - 1, to: 6, by: -2) + stride(from: 5, to: 0, by: -2)
    for (pair, right) in pairs.enumerated() {
      for step in 0..<version.size {
        let y = pair.isMultiple(of: 2) ? version.size - 1 - step : step
        for x in [right, right - 1] where !isFunction[y][x] && bit < codewords.count * 8 {
          grid.dark[y][x] = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
    }
    return grid
  }

  /// The data inverted where the mask says so, and the mask's number in the format (§7.8.2).
  func masked(by mask: Int) -> Self {
    var grid = self
    for y in dark.indices {
      for x in dark.indices where !isFunction[y][x] && Self.inverts(mask, x, y) { grid.dark[y][x].toggle() }
    }
    grid.drawFormat(mask: mask)
    return grid
  }

  private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (y / 2 + x / 3) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }
}

private func + <Element>(left: StrideTo<Element>, right: StrideTo<Element>) -> [Element] {
  Array(left) + Array(right)
}
