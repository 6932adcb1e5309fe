import AuthenticationData
import AuthenticationDomain

extension ProviderConformance {
  /// Connections that break before or after the service has seen the request.
  func checkLostAnswers(to session: AuthSession, _ findings: ConformanceFindings) async {
    for failure in [AuthenticationError.unreachable, .connectionLost, .timedOut] {
      if script.refresh != nil { await checkLostRefresh(of: session, failure, findings) }
      let signIn = await signIn([.fail(failure)], findings)
      if signIn.error?.code != failure.code {
        findings.note(.lostAnswer, "'\(failure.code)' at a sign-in becomes \(signIn.ending).")
      }
    }
    guard let scripted = script.refresh else { return }
    for answer in [scripted.response.cut] + [502, 503, 504].map({ .scripted($0) }) {
      checkSentOnce(await refresh(session, .answer(answer), findings), after: answer.quoted, findings)
    }
  }

  private func checkLostRefresh(
    of session: AuthSession, _ failure: AuthenticationError, _ findings: ConformanceFindings
  ) async {
    let call = await refresh(session, .fail(failure), findings)
    if call.error?.code != failure.code {
      findings.note(.lostAnswer, "'\(failure.code)' at a refresh becomes \(call.ending).")
    }
    // A request that never reached the service may be sent again.
    if failure != .unreachable { checkSentOnce(call, after: "'\(failure.code)'", findings) }
  }

  private func checkSentOnce(
    _ call: ConformanceCall<SessionTokens>, after failure: String, _ findings: ConformanceFindings
  ) {
    guard call.sent.count > 1 else { return }
    findings.note(
      .spentToken, "After \(failure) a refresh token that may be spent is sent again: \(call.sent.count) requests.")
  }
}
