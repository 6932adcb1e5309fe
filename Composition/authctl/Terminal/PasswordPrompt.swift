import AuthenticationKit
import Foundation

/// Reads a password: a line of standard input, or from the terminal without showing it.
enum PasswordPrompt {
  static func read(
    fromInput: Bool, console: Console, asking prompt: String = "Password: "
  ) throws(AuthenticationError) -> Secret {
    if fromInput || isatty(STDIN_FILENO) == 0 { return Secret(readLine() ?? "") }
    let input = HiddenInput()
    console.ask(prompt)
    defer { console.say("") }
    return Secret(try input.line())
  }
}
