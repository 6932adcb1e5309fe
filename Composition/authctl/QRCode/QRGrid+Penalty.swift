extension QRGrid {
  /// How much this looks like what a scanner takes for something else (ISO/IEC 18004 §7.8.3).
  var penalty: Int {
    let columns = dark.indices.map { x in dark.map { $0[x] } }
    let lines = dark + columns
    return lines.reduce(0) { $0 + Self.runs($1) + Self.finders($1) } + squares + imbalance
  }

  /// Five and more of a colour in a row.
  private static func runs(_ line: [Bool]) -> Int {
    var (penalty, length) = (0, 0)
    for index in line.indices {
      length = index > 0 && line[index] == line[index - 1] ? length + 1 : 1
      penalty += length == 5 ? 3 : length > 5 ? 1 : 0
    }
    return penalty
  }

  /// The proportions of a finder pattern, with four light modules on one side of it.
  private static func finders(_ line: [Bool]) -> Int {
    let core = [true, false, true, true, true, false, true]
    let light = [false, false, false, false]
    let patterns = [core + light, light + core]
    return line.indices.dropLast(core.count + light.count - 1).reduce(0) { penalty, start in
      let part = line[start..<(start + core.count + light.count)]
      return penalty + 40 * patterns.count { $0.elementsEqual(part) }
    }
  }

  /// Squares of two by two in one colour.
  private var squares: Int {
    var penalty = 0
    for y in dark.indices.dropLast() {
      for x in dark.indices.dropLast() {
        let colour = dark[y][x]
        if dark[y][x + 1] == colour && dark[y + 1][x] == colour && dark[y + 1][x + 1] == colour { penalty += 3 }
      }
    }
    return penalty
  }

  /// Each five per cent that the dark modules are away from half of all.
  private var imbalance: Int {
    let count = dark.joined().count { $0 }
    let all = dark.count * dark.count
    return abs(count * 20 - all * 10) / all * 10
  }
}
