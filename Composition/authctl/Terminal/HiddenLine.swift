import AuthenticationKit

/// A line as it is typed, key by key.
struct HiddenLine {
  private var bytes: [UInt8] = []
  private(set) var isEnded = false

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func press(_ key: UInt8) throws(AuthenticationError) {
    switch key {
    case Key.interrupt, Key.quit: throw .cancelled
    case Key.newline, Key.carriageReturn: isEnded = true
    case Key.endOfInput: isEnded = bytes.isEmpty
    case Key.delete, Key.backspace: eraseCharacter()
    case Key.eraseLine: bytes = []
    case 0..<0x20: break
    default: bytes.append(key)
    }
  }

  private mutating func eraseCharacter() {
    while let last = bytes.popLast(), last & 0b1100_0000 == 0b1000_0000 {}
  }
}

private enum Key {
  static let interrupt: UInt8 = 0x03
  static let endOfInput: UInt8 = 0x04
  static let backspace: UInt8 = 0x08
  static let newline: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let eraseLine: UInt8 = 0x15
  static let quit: UInt8 = 0x1C
  static let delete: UInt8 = 0x7F
}
