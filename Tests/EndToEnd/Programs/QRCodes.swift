import Foundation
import AuthCTLCommands

/// Writes QR codes as pictures into a folder: of a text of each length, and one as a terminal shows it.
///
///     qrcodes FOLDER [STEP]
enum QRCodes {
  static func run(_ arguments: [String]) throws {
    guard let path = arguments.first else { exit(64) }
    let folder = URL(filePath: path)
    let step = arguments.count > 1 ? Int(arguments[1]) ?? 1 : 1
    let address = "https://id.example.com/device?user_code=WDJB-MJHT&next="
    for length in stride(from: 1, through: 412, by: step) {
      let text = String((address + String(repeating: "0123456789", count: 42)).prefix(length))
      guard let code = QRCode(text) else { fatalError("No code for \(length) bytes.") }
      let name = "\(1_000 + length)"
      try Data(code.bitmap.utf8).write(to: folder.appending(path: name + ".pbm"))
      try Data(text.utf8).write(to: folder.appending(path: name + ".txt"))
    }
    try Data((QRCode(address)?.halfBlocks ?? "").utf8).write(to: folder.appending(path: "terminal.ansi"))
    try Data(address.utf8).write(to: folder.appending(path: "terminal.txt"))
  }
}

extension QRCode {
  /// A plain bitmap (PBM), four dots a module, with the margin.
  fileprivate var bitmap: String {
    let side = (modules.count + 8) * 4
    let rows = (0..<side).map { y in
      (0..<side).map { x in
        let (column, row) = (x / 4 - 4, y / 4 - 4)
        let isInside = modules.indices.contains(column) && modules.indices.contains(row)
        return isInside && modules[row][column] ? "1" : "0"
      }.joined()
    }
    return "P1\n\(side) \(side)\n" + rows.joined(separator: "\n") + "\n"
  }
}
