import AuthenticationKit
import AuthenticationOpenID

/// What `doctor` found.
struct Examination {
  struct Finding {
    let check: String
    let level: IssuerReport.Level
    let message: String
    var advice: String?
    /// With which a sign-in would fail.
    var code: AuthenticationError.Code?

    /// Whether it is about what the caller typed.
    fileprivate var isTyped: Bool { code == .invalidConfiguration }
  }

  var findings: [Finding] = []
  /// How far this machine's clock is ahead.
  var clockOffset: Duration?

  init() {}

  init(_ report: IssuerReport) {
    findings = report.findings.map {
      Finding(check: $0.check, level: $0.level, message: $0.message, advice: $0.advice, code: $0.code)
    }
    clockOffset = report.clockOffset
  }

  mutating func add(_ check: String, _ message: String) {
    findings.append(Finding(check: check, level: .ok, message: message))
  }

  /// - Parameter level: by default a problem, and a warning where the provider only wants to be asked later.
  mutating func add(
    _ check: String, _ error: AuthenticationError, advice: String? = nil, level: IssuerReport.Level? = nil
  ) {
    let level = level ?? (error.code == .rateLimited ? .warning : .problem)
    findings.append(
      Finding(
        check: check, level: level, message: error.told, advice: advice ?? error.suggestion, code: error.code))
  }

  /// What is unsafe counts more than what did not answer, and that more than anything else; nil where nothing is wrong.
  /// Only an option that cannot be right is a wrong call: what a provider does not offer it rejects.
  var exitStatus: ExitStatus? {
    let statuses = findings.filter { $0.level == .problem }.map { finding in
      let status = finding.code.map { ExitStatus($0) } ?? .unexpected
      return status == .usage && !finding.isTyped ? .rejected : status
    }
    return [.security, .unreachable, .usage, .rejected].first(where: statuses.contains)
      ?? (statuses.isEmpty ? nil : .unexpected)
  }
}
