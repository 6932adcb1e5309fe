import Foundation

/// The programs that the runs next to this folder start, by the name that is the first argument.
@main
enum EndToEnd {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst(2))
    switch CommandLine.arguments.dropFirst().first {
    case "accounts": try await Accounts.run(arguments)
    case "authctl": await AuthCTLWithAllauth.run(arguments)
    case "backends": try await Backends.run(arguments)
    case "cognito": try await Cognito.run(arguments)
    case "passkeys": await Passkeys.run(arguments)
    case "qrcodes": try QRCodes.run(arguments)
    case "road": await Road.run(arguments)
    default: exit(64)
    }
  }
}

/// Writes a line at once: the program that reads it waits for it.
func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func tell(_ word: String, _ value: String) { tell("\(word) \(value)") }
