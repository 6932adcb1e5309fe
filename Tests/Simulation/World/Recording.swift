package import AuthenticationDiagnostics
public import AuthenticationDomain

/// The events of one manager's state machine, and the states that it has shown.
///
/// `@unchecked Sendable`: confined to its world's thread until that world has ended.
public final class Recording: @unchecked Sendable {
  public let name: String
  let recorder: SessionRecorder
  public internal(set) var shown: [AuthenticationState] = []

  init(_ name: String) {
    self.name = name
    recorder = SessionRecorder(run: name, isDue: {})
  }

  /// The findings of the report of these events alone.
  package func report() -> (replay: [ReplayedChange], findings: [ReportFinding], cause: String?) {
    let names = NoteNames()
    let report = DiagnosticReport(
      lines: recorder.drain().steps.compactMap { DiagnosticReport.line(of: $0, names: names) })
    return (report.replay, report.findings, report.cause)
  }
}
