import ArgumentParser
import AuthenticationKit
import AuthenticationOpenID

struct Doctor: Command {
  static let configuration = CommandConfiguration(
    abstract: "Check an issuer, or the configuration of another provider, without signing in.",
    discussion: "Each finding is a line on standard output, with what to do about it.")

  @Option(help: ArgumentHelp("The issuer, exactly as it calls itself.", valueName: "url"))
  var issuer: String?

  @OptionGroup(title: "A provider of another kind") var at: ProviderOptions

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @OptionGroup var options: ProfileOptions

  func validate() throws {
    guard (issuer != nil) != at.isUsed else {
      throw ValidationError("Name an --issuer, or a --provider with its options.")
    }
  }

  func perform(on console: Console) async throws {
    let client = LoggingHTTPClient(upstream: try SystemHTTPClient(), console: options.verbose ? console : nil)
    let examination: Examination
    if let issuer {
      examination = Examination(await IssuerReport.examine(issuer: issuer, client: client))
    } else {
      examination = await ProviderExamination(options: at, client: client, console: console).examine()
    }
    for finding in examination.findings {
      if json { console.out(json: FindingEvent(finding)) } else { console.out(finding.line.printable) }
    }
    let status = examination.exitStatus
    if status != nil { console.report(issuer == nil ? .illProvider : .illIssuer) }
    if json { console.out(json: SummaryEvent(examination)) }
    if let status { throw status.exitCode }
  }
}

extension AuthenticationError {
  fileprivate static let illIssuer = Self(
    .init("issuer_unusable"), "The issuer cannot be used as it is.",
    suggestion: "Each finding that is a problem says what to do.")
  fileprivate static let illProvider = Self(
    .init("provider_unusable"), "The provider cannot be used as it is configured.",
    suggestion: "Each finding that is a problem says what to do.")
}
