import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// Why the last session ended, out of the recorded events of the state machine: one sentence for a support mail, and
/// the events for a machine. It holds no secret, and nothing about the user unless that was asked for.
///
/// ```swift
/// let report = await diagnostics.report()
/// log(report.sentence)
/// try report.data.write(to: folder.appending(path: "report.jsonl"))
/// ```
///
/// The data is a JSON object on each line: the findings, then each event with its effects and the state after it.
/// `authctl replay` feeds them to the state machine again.
public struct DiagnosticReport: Sendable {
  /// Why the last session ended, when, and the next step; or that none has, and the current failure.
  public let sentence: String
  /// The name of the reason, such as `rejected`; nil if no session has ended. An open set.
  public let cause: String?
  /// The report as a file, in JSON Lines (UTF-8).
  public let data: Data
  /// The events, after which the state machine was in which state.
  package let replay: [ReplayedChange]
  /// The findings in them, in the order of time.
  package let findings: [ReportFinding]

  /// The user who is, or was, signed in.
  struct ReportedUser: Codable, Sendable {
    let id: String
    let name: String?
    let email: String?
  }

  private struct Header: Codable {
    var report = 1
    let sentence: String
    let cause: String?
    let steps: Int
    let user: ReportedUser?
  }

  /// The largest report that is read, in bytes.
  package static let largest = 1 << 20

  /// Reads a report.
  ///
  /// - Parameter data: ``data`` of another one.
  /// - Throws: ``AuthenticationError`` with the code `invalid_report` for anything else, also if a part is missing.
  public init(_ data: Data) throws(AuthenticationError) {
    let lines = data.split(separator: UInt8(ascii: "\n"))
    guard data.count <= Self.largest, data.last == UInt8(ascii: "\n"), let first = lines.first,
      let header = try? BoundedJSON.decode(Header.self, from: first), header.report == 1,
      header.steps == lines.count - 1
    else { throw .invalidReport }
    try self.init(lines: lines.dropFirst().map { Data($0) }, isStrict: true, user: header.user)
  }

  /// A report of these steps.
  ///
  /// - Parameters:
  ///   - lines: the steps as ``line(of:names:)`` makes them; a damaged one is left out.
  ///   - user: the last signed-in user, if that was asked for.
  package init(lines: [Data], of user: User? = nil) {
    let reported = user.map { ReportedUser(id: $0.id, name: $0.name, email: $0.email) }
    // Nothing is thrown where damaged lines are left out.
    self = (try? Self(lines: lines, isStrict: false, user: reported)) ?? Self()
  }

  private init() {
    (sentence, cause, data, replay, findings) = (ReportFinding.noEnd, nil, Data(), [], [])
  }

  private init(lines: [Data], isStrict: Bool, user: ReportedUser?) throws(AuthenticationError) {
    var (steps, kept): ([RecordedChange], [Data]) = ([], [])
    for line in lines {
      if let step = try? BoundedJSON.decode(RecordedChange.self, from: line), step.policy != nil {
        steps.append(step)
        kept.append(line)
      } else if isStrict {
        throw .invalidReport
      }
    }
    replay = ReplayedChange.all(of: steps)
    findings = ReportFinding.all(in: replay)
    let end = findings.last { $0.kind.endsSession }
    cause = end?.kind.rawValue == ReportFinding.Kind.otherEnd.rawValue ? end?.codes.first : end?.kind.rawValue
    sentence = end?.sentence ?? ReportFinding.noEnd(ReportFinding.unresolved(in: findings))
    let header = Header(sentence: sentence, cause: cause, steps: kept.count, user: user)
    guard let first = try? Self.encoder().encode(header) else { throw .invalidReport }
    data = Data(([first] + kept).flatMap { $0 + [UInt8(ascii: "\n")] })
  }

  /// A step on a line, with the numbers of its launch in place of tokens and users.
  package static func line(of step: RecordedChange, names: NoteNames) -> Data? { try? encoder(names).encode(step) }

  private static func encoder(_ names: NoteNames = NoteNames()) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.userInfo[NoteNames.key] = names
    return encoder
  }
}

extension DiagnosticReport: CustomStringConvertible {
  /// The sentence, then the findings before and after it, one a line.
  public var description: String { ([sentence] + findings.map { "- \($0)" }).joined(separator: "\n") }
}

extension AuthenticationError {
  fileprivate static let invalidReport = Self(
    code: "invalid_report", "This is not a complete diagnostic report.",
    suggestion: "Take the whole output of `authctl report --json`, or the whole data of a DiagnosticReport.")
}
