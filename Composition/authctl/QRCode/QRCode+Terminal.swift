import Foundation

extension QRCode {
  /// For a terminal: two modules in a character, black on white whatever its colours are, with the margin.
  package var halfBlocks: String {
    let side = modules.count + 2 * Self.margin
    return stride(from: 0, to: side, by: 2).map { y in
      let characters = (0..<side).map { x in
        switch (isDark(x, y), isDark(x, y + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
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
  /// A picture for who reads at a terminal; nothing elsewhere, and nothing for a text that is too long for one.
  func draw(_ text: String) {
    guard isatty(STDERR_FILENO) == 1, let code = QRCode(text) else { return }
    ask(code.halfBlocks)
  }
}
