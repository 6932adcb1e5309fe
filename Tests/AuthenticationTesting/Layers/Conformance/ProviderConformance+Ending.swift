import AuthenticationData
import AuthenticationDomain

extension ProviderConformance {
  func checkRevocation(of session: AuthSession, _ findings: ConformanceFindings) async {
    let call = await revoke(session, script.revocation.map(\.plan), findings)
    findings.check(call.sent, against: script.revocation, of: "A sign-out")
    // Where the service has no such call, the adapter may say so.
    let isMissing = script.revocation.isEmpty && call.error == .unsupportedMethod
    if call.error != nil, !isMissing {
      findings.note(.revocation, "A sign-out that the service accepts ends with \(call.ending).")
    }
    guard !script.revocation.isEmpty else { return }
    for answer in script.revokedTokens {
      let call = await revoke(session, [.answer(answer)], findings)
      if call.error != nil {
        findings.note(.revocation, "\(answer.quoted), tokens that are gone, gives \(call.ending).")
      }
    }
    for plan in [ConformanceTransport.Plan.fail(.unreachable), .fail(.connectionLost), .answer(.scripted(503))] {
      let call = await revoke(session, [plan], findings)
      if call.error?.disposition != .transient {
        findings.note(.revocation, "A sign-out that does not reach the service gives \(call.ending).")
      }
    }
  }

  private func revoke(
    _ session: AuthSession, _ plans: [ConformanceTransport.Plan], _ findings: ConformanceFindings
  ) async -> ConformanceCall<Bool> {
    await call(plans, findings) { provider throws(AuthenticationError) in
      try await provider.revoke(session.tokens)
      return true
    }
  }

  func checkValidation(of session: AuthSession, _ findings: ConformanceFindings) async {
    let isOffered = await call([], findings) { provider in provider is any SessionValidatingProvider }.value == true
    guard let validation = script.validation else {
      if isOffered { findings.note(.script, "'validation' is missing, although the adapter validates sessions.") }
      return
    }
    let valid = await isValid(session, validation.exchange.plan, findings)
    findings.check(valid.sent, against: [validation.exchange], of: "A validation")
    if valid.value != true { findings.note(.validation, "A session that is valid gives \(valid.ending).") }
    for answer in validation.refusals {
      let call = await isValid(session, .answer(answer), findings)
      if call.value != false {
        findings.note(.validation, "\(answer.quoted), a session that is refused, gives \(call.ending).")
      }
    }
    let page = HTTPResponse.scripted(200, "<html>", type: "text/html")
    for plan in [ConformanceTransport.Plan.fail(.connectionLost), .answer(.scripted(500)), .answer(page)] {
      let call = await isValid(session, plan, findings)
      if call.error == nil { findings.note(.validation, "A service that did not answer is taken for one that did.") }
    }
  }

  private func isValid(
    _ session: AuthSession, _ plan: ConformanceTransport.Plan, _ findings: ConformanceFindings
  ) async -> ConformanceCall<Bool> {
    await call([plan], findings) { provider throws(AuthenticationError) in
      guard let provider = provider as? any SessionValidatingProvider else { throw .unsupportedMethod(.password) }
      return try await provider.isValid(session)
    }
  }
}
