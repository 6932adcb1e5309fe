import ArgumentParser
import AuthenticationKit

extension AuthCTL {
  /// Help and exit codes as ArgumentParser has them; its own failures, which fill a screen, as one line.
  static func end(with error: any Error) -> Never {
    let status = exitCode(for: error)
    if status.isSuccess || error is ExitCode { exit(withError: error) }
    let arguments = CommandLine.arguments.dropFirst()
    let isUsage = status == .validationFailure
    let failure = AuthenticationError(
      .init(isUsage ? "usage" : "unexpected"), sentence(message(for: error)),
      suggestion: isUsage ? "See '\(usage(arguments.first)) --help'." : nil)
    Console(isJSON: arguments.contains("--json")).report(failure)
    exit(withError: isUsage ? ExitStatus.usage.exitCode : ExitStatus.unexpected.exitCode)
  }

  private static func sentence(_ message: String) -> String {
    let line = message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.last.map { ".!?".contains($0) } == true ? line : line + "."
  }

  private static func usage(_ first: String?) -> String {
    let names = configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() }
    guard let first, names.contains(first) else { return "authctl" }
    return "authctl \(first)"
  }
}
