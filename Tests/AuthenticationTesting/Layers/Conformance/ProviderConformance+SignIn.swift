import AuthenticationData
import AuthenticationDomain

extension ProviderConformance {
  /// - Returns: the session that all other checks begin with; nil if there is none.
  func checkSignIn(_ findings: ConformanceFindings) async -> AuthSession? {
    let call = await signIn(script.signIn.map(\.plan), findings)
    findings.check(call.sent, against: script.signIn, of: "A sign-in")
    guard case .session(let session) = call.value else {
      call.value.map { findings.check(handleOf: $0, holdsNoneOf: [script.credentials], in: "A sign-in") }
      findings.note(.signIn, "A sign-in that the service accepts ends with \(call.ending), and no session.")
      return nil
    }
    if session.user.id != script.userID {
      findings.note(.signIn, "The session is of '\(session.user.id)' instead of '\(script.userID)'.")
    }
    if (session.tokens.refresh == nil) != (script.refresh == nil) {
      let has = session.tokens.refresh == nil ? "has no" : "has a"
      findings.note(
        .signIn, "The session \(has) refresh token; the script has \(script.refresh == nil ? "no" : "a") refresh.")
    }
    findings.check(session.user.claims, are: script.claims, after: "a sign-in")
    let tokens = [session.accessToken.value, session.tokens.refresh].compactMap { $0?.reveal() }
    if !tokens.allSatisfy(findings.isSecret) {
      findings.note(.script, "A token of 'signIn' holds none of 'secrets': whether it is printed cannot be seen.")
    }
    return session
  }

  func checkRefusedSignIns(_ findings: ConformanceFindings) async {
    for answer in script.wrongCredentials {
      let call = await signIn([.answer(answer)], findings)
      if call.error != .invalidCredentials {
        findings.note(.wrongCredentials, "\(answer.quoted) for wrong credentials gives \(call.ending).")
      }
    }
    let call = await call([], findings) { provider throws(AuthenticationError) in
      try await provider.signIn(with: UnknownCredentials())
    }
    if call.error != .unsupportedMethod || !call.sent.isEmpty {
      findings.note(
        .unknownMethod, "Credentials of an unknown type give \(call.ending), after \(call.sent.count) requests.")
    }
  }

  func signIn(
    _ plans: [ConformanceTransport.Plan], _ findings: ConformanceFindings
  ) async -> ConformanceCall<SignInOutcome> {
    await call(plans, findings) { provider throws(AuthenticationError) in
      try await provider.signIn(with: script.credentials, attributes: script.attributes)
    }
  }
}

/// Of a type that no adapter can know.
struct UnknownCredentials: Credentials {
  let method = SignInMethod(id: "conformance-unknown", displayName: "Unknown")
  func validate() throws(AuthenticationError) {}
}
