import ArgumentParser
import Foundation

/// Reads a user name at a terminal, where none was given as an option.
enum UserNamePrompt {
  /// Throws where nobody can be asked: what stands in a script's input is the password.
  static func read(_ given: String?, console: Console) throws -> String {
    if let given { return given }
    guard isatty(STDIN_FILENO) != 0 else { throw ValidationError("--username is missing.") }
    console.ask("User name: ")
    return readLine() ?? ""
  }
}
