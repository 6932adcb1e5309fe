import AuthenticationKit
import Foundation

/// A terminal that shows nothing and passes each key on; as it was when this is given up.
struct HiddenInput: ~Copyable {
  private var shown = termios()

  init() {
    unsafe tcgetattr(STDIN_FILENO, &shown)
    var hidden = shown
    // Without signals: control-C would end the process and leave the terminal like this.
    hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
    unsafe withUnsafeMutableBytes(of: &hidden.c_cc) { keys in
      unsafe keys[Int(VMIN)] = 1
      unsafe keys[Int(VTIME)] = 0
    }
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
  }

  deinit {
    var shown = shown
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
  }

  /// Up to the end of the line; throws ``AuthenticationError/Code/cancelled`` on control-C.
  borrowing func line() throws(AuthenticationError) -> String {
    var line = HiddenLine()
    var key: UInt8 = 0
    while !line.isEnded {
      let count = unsafe read(STDIN_FILENO, &key, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { break }
      try line.press(key)
    }
    return line.text
  }
}
