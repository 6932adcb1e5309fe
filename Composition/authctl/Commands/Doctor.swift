import ArgumentParser
import AuthenticationKit
import AuthenticationOpenID

struct Doctor: Command {
  static let configuration = CommandConfiguration(
    abstract: "Check an issuer without signing in.",
    discussion: "Each finding is a line on standard output, with what to do about it.")

  @Option(help: ArgumentHelp("The issuer, exactly as it calls itself.", valueName: "url"))
  var issuer: String

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @OptionGroup var options: ProfileOptions

  func perform(on console: Console) async throws {
    let client = LoggingHTTPClient(upstream: try SystemHTTPClient(), console: options.verbose ? console : nil)
    let report = await IssuerReport.examine(issuer: issuer, client: client)
    for finding in report.findings {
      if json { console.out(json: FindingEvent(finding)) } else { console.out(finding.line.printable) }
    }
    let status = report.exitStatus
    if status != nil { console.report(.illIssuer) }
    if json { console.out(json: SummaryEvent(report)) }
    if let status { throw status.exitCode }
  }
}

extension IssuerReport {
  /// What is unsafe counts more than what did not answer, and that more than anything else; nil where nothing is wrong.
  fileprivate var exitStatus: ExitStatus? {
    let statuses = findings.filter { $0.level == .problem }.map { $0.code.map(ExitStatus.init) ?? .unexpected }
    return [.security, .unreachable, .usage].first(where: statuses.contains) ?? (statuses.isEmpty ? nil : .unexpected)
  }
}

extension AuthenticationError {
  fileprivate static let illIssuer = Self(
    .init("issuer_unusable"), "The issuer cannot be used as it is.",
    suggestion: "Each finding that is a problem says what to do.")
}
