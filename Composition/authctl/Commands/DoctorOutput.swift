import AuthenticationOpenID

extension Examination.Finding {
  /// `warning  pkce        What was found. What to do.`
  var line: String {
    [level.rawValue.padded(to: 7), check.padded(to: 10), message + (advice.map { " " + $0 } ?? "")]
      .joined(separator: "  ")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

/// A finding, for scripts.
struct FindingEvent: Encodable {
  let event = "finding"
  let check: String
  let level: IssuerReport.Level
  let message: String
  let advice: String?

  init(_ finding: Examination.Finding) {
    check = finding.check
    level = finding.level
    message = finding.message
    advice = finding.advice
  }
}

/// How many findings of each level there were.
struct SummaryEvent: Encodable {
  let event = "summary"
  let ok: Int
  let warnings: Int
  let problems: Int
  /// Seconds by which this machine's clock is ahead.
  let clock_offset: Int?

  init(_ examination: Examination) {
    let count = { (level: IssuerReport.Level) in examination.findings.count { $0.level == level } }
    ok = count(.ok)
    warnings = count(.warning)
    problems = count(.problem)
    clock_offset = examination.clockOffset.map { Int($0.components.seconds) }
  }
}
