import AuthenticationDomain
import AuthenticationTesting
import Testing

@testable import AuthenticationData

/// The suite itself: it finds each fault that it is for, and nothing in an adapter without one.
@Suite(.timeLimit(.minutes(10))) struct ProviderConformanceTests {
  typealias Rule = ProviderConformance.Rule

  @Test func `an adapter without a fault keeps every rule`() async {
    let violations = await ProviderConformance(.notes(), .notes).violations()
    #expect(violations == [])
  }

  @Test(
    arguments: [
      (.endsOn500, .serverFailure), (.endsOnPage, .htmlPage), (.endsOnUnknownCode, .unknownCode),
      (.leaksBody, .redaction), (.retriesSpentToken, .spentToken), (.ignoresCancellation, .cancellation),
      (.dropsClaims, .claims), (.endsOnRefusedResource, .resource), (.losesTokenOfResource, .resource),
      (.takesAnyAudience, .resource),
    ] as [(NotesProvider.Fault, Rule)])
  func `a fault is found, and no other`(fault: NotesProvider.Fault, rule: Rule) async {
    let violations = await ProviderConformance(.notes(fault), .notes).violations()
    #expect(!violations.isEmpty)
    #expect(violations.filter { $0.rule != rule } == [])
  }

  @Test func `a request that differs in one byte is told with its line`() async throws {
    var script = ProviderScript.notes
    script.refresh = .init(
      "POST https://notes.example.com/refresh\nContent-Type: application/json\n\n{\"refresh\":\"canary-refresh \"}",
      try #require(script.refresh).response)
    let violations = await ProviderConformance(.notes(), script).violations()
    #expect(violations.map(\.rule) == [.requests])
    #expect(violations.first?.sentence.contains(#"{"refresh":"canary-refresh "}"#) == true)
  }

  @Test func `each part that a script lacks is reported, so that no rule passes unchecked`() async {
    var script = ProviderScript.notes
    (script.sessionEnding, script.unknownCode, script.secrets) = ([], nil, ["parrot"])
    let violations = await ProviderConformance(.notes(), script).violations()
    #expect(violations.map(\.rule) == [.script, .script, .script])
  }

  @Test func `an adapter that cannot be made is told`() async {
    let violations = await ProviderConformance(.api(baseURL: "ftp://example.com"), .notes).violations()
    #expect(violations.contains { $0.rule == .signIn && $0.sentence.contains("invalid_configuration") })
  }
}
