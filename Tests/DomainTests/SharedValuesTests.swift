import AuthenticationDomain
import Testing

/// Values of which every caller that waits holds several.
@Suite struct SharedValuesTests {
  @Test func `a waiting caller keeps one reference of each, however much it holds`() {
    let reference = MemoryLayout<AnyObject>.size
    #expect(MemoryLayout<AuthSession>.size == reference)
    #expect(MemoryLayout<SessionTokens>.size == reference)
    #expect(MemoryLayout<AccessToken?>.size == reference)
    #expect(MemoryLayout<User>.size == reference)
    #expect(MemoryLayout<AuthenticationError>.size == reference)
  }

  @Test func `a copy of an error that is changed leaves the first one as it was`() {
    let first = AuthenticationError(.timedOut, "There was no response.", suggestion: "Try again.")
    let challenge = Challenge(kind: .smsCode, handle: Secret("handle"))
    let requirements = AuthenticationRequirements(acrValues: ["phr"], maxAge: .seconds(60))
    var copy = first
    copy.cause = .init(domain: "errno", code: 5)
    copy.retryAfter = .seconds(5)
    copy.requiredScopes = ["notes"]
    copy.challenge = challenge
    copy.reason = .state
    copy.providerCode = "slow_down"
    copy.clockOffset = .seconds(-7)
    copy.requirements = requirements

    #expect(copy == .timedOut && copy.message == "There was no response." && copy.suggestion == "Try again.")
    #expect(copy.cause == .init(domain: "errno", code: 5))
    #expect(copy.retryAfter == .seconds(5))
    #expect(copy.requiredScopes == ["notes"])
    #expect(copy.challenge == challenge)
    #expect(copy.reason == .state)
    #expect(copy.providerCode == "slow_down")
    #expect(copy.clockOffset == .seconds(-7))
    #expect(copy.requirements == requirements)

    #expect(first.cause == nil && first.retryAfter == nil && first.requiredScopes.isEmpty && first.challenge == nil)
    #expect(first.reason == nil && first.providerCode == nil && first.clockOffset == nil && first.requirements == nil)
  }
}
