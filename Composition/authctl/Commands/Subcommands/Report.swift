import ArgumentParser
import AuthenticationDiagnostics
import AuthenticationKit
import Foundation

struct Report: Command {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Tell why the last session ended. Makes no network call.")

  @Flag(help: "Print the report as a file for 'authctl replay': the recorded events, without tokens and users.")
  var json = false

  @OptionGroup var options: ProfileOptions

  func perform(on console: Console) async throws {
    let folder = ProfileFolder(options, console)
    guard let profile = try folder.load() else {
      return show(DiagnosticReport(lines: []), console)
    }
    let location = try folder.storage(options.storage ?? profile.storage)
    show(await Diagnostics(location.realm(profile.realm)).report(), console)
  }

  private func show(_ report: DiagnosticReport, _ console: Console) {
    guard json else { return console.out(report.sentence) }
    for line in report.data.split(separator: UInt8(ascii: "\n")) {
      console.out(String(decoding: line, as: UTF8.self).escapingUnprintable)
    }
  }
}

struct Replay: Command {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Feed a report to the state machine, and print each step. Stores nothing, and sends nothing.")

  @Argument(help: "What 'authctl report --json' printed, or an app's DiagnosticReport.")
  var file: String

  @OptionGroup var options: ProfileOptions

  func status(of error: AuthenticationError) -> ExitStatus { .usage }

  func perform(on console: Console) async throws {
    guard let handle = FileHandle(forReadingAtPath: file),
      let data = try? handle.read(upToCount: DiagnosticReport.largest + 1)
    else { throw AuthenticationError.unreadableReport }
    let report = try DiagnosticReport(data)
    var runs: [String] = []
    for (index, replayed) in report.replay.enumerated() {
      let step = replayed.step
      if !runs.contains(step.run) { runs.append(step.run) }
      let run = (runs.firstIndex(of: step.run) ?? 0) + 1
      let effects = step.after.effects.joined(separator: ", ")
      console.out(
        "\(index + 1). \(step.time.formatted(.iso8601)) launch \(run): \(step.name)"
          + (effects.isEmpty ? "" : " -> \(effects)") + " -> \(step.after.state)")
      if !replayed.isReplayed { console.out("   not replayed: what came before it is no longer kept") }
      if let difference = replayed.difference { console.out("   differs: \(difference)") }
    }
    console.out(report.sentence)
    for finding in report.findings { console.out("- \(finding)") }
    let differing = report.replay.count { $0.difference != nil }
    if differing > 0 { console.say("authctl: \(differing) steps are not as they were recorded.") }
  }
}

extension AuthenticationError {
  fileprivate static let unreadableReport = Self(
    code: "invalid_report", "The report cannot be read.", suggestion: "Name a file.")
}
