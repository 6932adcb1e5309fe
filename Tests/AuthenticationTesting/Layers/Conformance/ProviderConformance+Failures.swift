import AuthenticationData
import AuthenticationDomain

extension ProviderConformance {
  /// Servers and proxies that fail, with and without a page.
  func checkFailures(of session: AuthSession, _ findings: ConformanceFindings) async {
    var kept: Set<Int> = []
    for status in [500, 502, 503, 504] {
      let bodies = [HTTPResponse.scripted(), .scripted(200, "{}")] + script.sessionEnding
      var isKept = true
      for body in bodies {
        let answer = body.with(status: status)
        if !(await checkKept(session, after: answer, .serverFailure, findings)) { isKept = false }
      }
      if isKept { kept.insert(status) }
    }
    let page = "<!doctype html><html><body>\(script.secrets.joined(separator: " "))</body></html>"
    for status in [200, 302, 400, 401, 403, 404, 500, 502, 503, 504] {
      let answer = HTTPResponse.scripted(status, page, type: "text/html; charset=utf-8")
      // If the status is enough, the page is not at fault.
      if status < 500 || kept.contains(status) { await checkKept(session, after: answer, .htmlPage, findings) }
      let call = await signIn([.answer(answer)], findings)
      if call.value != nil { findings.note(.htmlPage, "\(answer.quoted) to a sign-in is a success.") }
    }
  }

  /// Responses of another kind than they claim to be.
  func checkMalformedAnswers(to session: AuthSession, _ findings: ConformanceFindings) async {
    let texts = ["", "{}", "[]", "null", "7", #""canary""#, #"{"canary":"#, String(repeating: "x", count: 10_000_000)]
    let endings = script.sessionEnding.filter { !$0.body.isEmpty }
    let malformed = texts.map { HTTPResponse.scripted(200, $0) }
    for answer in malformed + [script.refresh?.response.cut].compactMap(\.self) + endings.map(\.cut) {
      await checkKept(session, after: answer, .malformedAnswer, findings)
    }
    for answer in malformed + (script.signIn.first.map { [$0.response.cut] } ?? []) {
      let call = await signIn([.answer(answer)], findings)
      if call.value != nil { findings.note(.malformedAnswer, "\(answer.quoted) to a sign-in is a success.") }
    }
  }
}
