/// Reads a user name, where none was given as an option.
enum UserNamePrompt {
  static func read(_ given: String?, console: Console) -> String {
    if let given { return given }
    console.ask("User name: ")
    return readLine() ?? ""
  }
}
