import AuthenticationData
import AuthenticationDomain
import Synchronization
import Foundation

/// The findings of the checks of one run so far, each once.
final class ConformanceFindings: Sendable {
  private let found = Mutex<[ProviderConformance.Violation]>([])
  private let secrets: [String]

  init(_ secrets: [String]) { self.secrets = secrets }

  var violations: [ProviderConformance.Violation] { found.withLock { $0 } }

  func note(_ rule: ProviderConformance.Rule, _ sentence: String) {
    let violation = ProviderConformance.Violation(rule: rule, sentence: sentence)
    found.withLock { if !$0.contains(violation) { $0.append(violation) } }
  }

  func check(_ claims: [String: JSONValue], are expected: [String: JSONValue]?, after call: String) {
    guard let expected, claims != expected else { return }
    let names = Set(claims.keys).union(expected.keys).filter { claims[$0] != expected[$0] }.sorted()
    note(.claims, "After \(call) the claims are others than the script has: \(names.joined(separator: ", ")).")
  }

  /// Whether the presented secret is in the handle of the step that is asked for.
  func check(handleOf outcome: SignInOutcome, holdsNoneOf presented: [any Credentials], in name: String) {
    guard case .challenge(let challenge) = outcome, presented.contains(where: challenge.holdsSecret) else { return }
    note(
      .handles, "\(name): the handle of '\(challenge.kind.id)' holds a password or a code that was presented.")
  }

  // MARK: Redaction

  /// Whether any text that a value can become holds a secret.
  func check(_ value: some Sendable, of name: String) {
    var text = "\(value) \(String(reflecting: value)) "
    dump(value, to: &text)
    check(description: text, of: name)
  }

  func check(description: String, of name: String) {
    if secrets.contains(where: { description.contains($0) }) {
      note(.redaction, "A text of \(name) holds a secret, or a word of the server.")
    }
  }

  /// Whether a text is one of those that nothing may print.
  func isSecret(_ text: String) -> Bool { secrets.contains { text.contains($0) } }

  // MARK: Requests

  func check(_ sent: [HTTPRequest], against exchanges: [ProviderScript.Exchange], of name: String) {
    if sent.count != exchanges.count {
      note(.requests, "\(name) sends \(sent.count) requests; the script has \(exchanges.count).")
    }
    for (number, pair) in zip(sent.map(\.written), exchanges.map(\.request)).enumerated() where pair.0 != pair.1 {
      let (line, expected) = WrittenRequest.difference(pair.0, pair.1)
      note(.requests, "\(name) sends '\(line)' in request \(number + 1); the script has '\(expected)'.")
    }
  }
}
