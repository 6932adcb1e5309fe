import AuthenticationData
import AuthenticationDomain

extension ProviderConformance {
  func check(_ scripted: ProviderScript.ChallengeScript, _ findings: ConformanceFindings) async {
    let exchanges = scripted.begin + scripted.steps.flatMap { $0.wrong + $0.exchanges }
    let call = await call(exchanges.map(\.plan), findings) { provider throws(AuthenticationError) in
      var outcome = try await provider.signIn(with: scripted.credentials, attributes: scripted.attributes)
      var presented = [scripted.credentials]
      for step in scripted.steps {
        findings.check(outcome, of: "the challenge of '\(scripted.name)'")
        findings.check(handleOf: outcome, holdsNoneOf: presented, in: scripted.name)
        guard case .challenge(let challenge) = outcome, challenge.kind == step.kind else { return outcome }
        let answer = ChallengeAnswer(to: challenge, step.answer)
        if !step.wrong.isEmpty, let sentence = await wrongAnswer(answer, to: provider, scripted) {
          findings.note(.challenge, "\(scripted.name): \(sentence)")
        }
        outcome = try await provider.signIn(with: answer, attributes: scripted.attributes)
        presented.append(answer)
      }
      return outcome
    }
    findings.check(call.sent, against: exchanges, of: "'\(scripted.name)'")
    switch call.value {
    case .session: break
    case .challenge(let challenge):
      findings.note(.challenge, "\(scripted.name): '\(challenge.kind.id)' is asked for, which is not what comes next.")
    case nil: findings.note(.challenge, "\(scripted.name): it ends with \(call.ending).")
    }
  }

  /// - Returns: the fault of the adapter after a wrong answer; nil if there is none.
  private func wrongAnswer(
    _ answer: ChallengeAnswer, to provider: any RemoteAuthProvider, _ scripted: ProviderScript.ChallengeScript
  ) async -> String? {
    do throws(AuthenticationError) {
      _ = try await provider.signIn(with: answer, attributes: scripted.attributes)
      return "a wrong answer to '\(answer.challenge.kind.id)' is a success."
    } catch {
      guard error.disposition != .attempt else { return nil }
      return
        "a wrong answer to '\(answer.challenge.kind.id)' gives '\(error.code)', after which the attempt cannot go on."
    }
  }
}
