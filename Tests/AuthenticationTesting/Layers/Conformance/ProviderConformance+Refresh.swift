import AuthenticationData
import AuthenticationDomain

extension ProviderConformance {
  func checkRefresh(of session: AuthSession, _ findings: ConformanceFindings) async {
    guard let scripted = script.refresh else { return await checkMissingRefresh(of: session, findings) }
    let call = await refresh(session, scripted.plan, findings)
    findings.check(call.sent, against: [scripted], of: "A refresh")
    if let tokens = call.value {
      if tokens.access.value == session.accessToken.value {
        findings.note(.refresh, "After a refresh the access token is the one from before.")
      }
      findings.check(
        session.refreshed(with: tokens).user.claims, are: script.refreshedClaims ?? script.claims, after: "a refresh")
      if [nil, session.tokens.refresh].contains(tokens.refresh) {
        findings.note(.refresh, "The new refresh token of a refresh is lost.")
      }
    } else {
      findings.note(.refresh, "A refresh that the service accepts ends with \(call.ending).")
    }
    guard let answer = script.refreshWithoutNewToken else { return }
    let kept = await refresh(session, .answer(answer), findings)
    if kept.value.map({ session.refreshed(with: $0).tokens.refresh == session.tokens.refresh }) != true {
      findings.note(
        .keptRefreshToken, "A refresh whose answer has no new refresh token gives \(kept.ending), not the one in use.")
    }
  }

  func checkResource(of session: AuthSession, _ findings: ConformanceFindings) async {
    guard let scripted = script.resource else { return }
    func refresh(_ response: HTTPResponse) async -> ConformanceCall<ResourceTokens> {
      await self.call([.answer(response)], findings) { provider throws(AuthenticationError) in
        try await provider.tokens(of: session, for: scripted.resource)
      }
    }
    func note(_ sentence: String) { findings.note(.resource, sentence) }
    let call = await refresh(scripted.exchange.response)
    findings.check(call.sent, against: [scripted.exchange], of: "A refresh for a resource")
    if call.error != nil || call.value?.refusal != nil {
      note("A refresh for a resource that the service accepts ends with \(call.value?.refusal?.code ?? call.ending).")
    }
    for tokens in [call.value?.tokens].compactMap(\.self)
    where [nil, session.tokens.refresh].contains(tokens.refresh) {
      note("The new refresh token of a refresh for a resource is lost.")
    }
    for response in scripted.refusals {
      let call = await refresh(response)
      if call.error != .resourceRefused { note("\(response.quoted) gives \(call.ending), not 'resource_refused'.") }
    }
    for response in scripted.others {
      let call = await refresh(response)
      guard let value = call.value else {
        note("\(response.quoted) gives \(call.ending), and its refresh token is lost.")
        continue
      }
      if value.refusal == nil { note("\(response.quoted) counts as a token of the resource.") }
    }
    // A refusal without words may be of the resource.
    for response in script.sessionEnding where !response.body.isEmpty {
      let call = await refresh(response)
      if !call.endsSession { note("\(response.quoted) gives \(call.ending), and the session stays.") }
    }
  }

  /// Without a refresh a session is expired, and not rejected: the state tells the user which.
  private func checkMissingRefresh(of session: AuthSession, _ findings: ConformanceFindings) async {
    let call = await refresh(session, .fail(.unreachable), findings)
    if call.error != .sessionExpired || !call.sent.isEmpty {
      findings.note(
        .refresh,
        "A refresh, which the service does not have, ends with \(call.ending) after \(call.sent.count) requests.")
    }
  }

  /// The responses of the service about a refresh token.
  func checkRefusedRefreshes(of session: AuthSession, _ findings: ConformanceFindings) async {
    if script.refresh == nil { return }
    for answer in script.sessionEnding {
      let call = await refresh(session, .answer(answer), findings)
      if !call.endsSession {
        findings.note(.sessionEnding, "\(answer.quoted) gives \(call.ending), and the session stays.")
      }
    }
    for answer in script.transient {
      let call = await refresh(session, .answer(answer), findings)
      if call.error?.disposition != .transient {
        findings.note(.transientFailure, "\(answer.quoted) gives \(call.ending), which is not transient.")
      }
    }
    for answer in script.otherRefusals { await checkKept(session, after: answer, .otherRefusal, findings) }
    if let answer = script.unknownCode { await checkKept(session, after: answer, .unknownCode, findings) }
  }

  /// - Returns: whether a response to a refresh neither ends the session nor counts as new tokens.
  @discardableResult
  func checkKept(
    _ session: AuthSession, after answer: HTTPResponse, _ rule: Rule, _ findings: ConformanceFindings
  ) async -> Bool {
    if script.refresh == nil { return true }
    let call = await refresh(session, .answer(answer), findings)
    if call.endsSession { findings.note(rule, "\(answer.quoted) to a refresh ends the session (\(call.ending)).") }
    if call.value != nil { findings.note(rule, "\(answer.quoted) to a refresh counts as new tokens.") }
    return call.error != nil && !call.endsSession
  }
}
