import AuthenticationKit
import Foundation

/// Reads a password: a line of standard input, or from the terminal without showing it.
enum PasswordPrompt {
  static func read(fromInput: Bool, console: Console) -> Secret {
    if fromInput || isatty(STDIN_FILENO) == 0 { return Secret(readLine() ?? "") }
    console.ask("Password: ")
    var shown = termios()
    unsafe tcgetattr(STDIN_FILENO, &shown)
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
      console.say("")
    }
    return Secret(readLine() ?? "")
  }
}
