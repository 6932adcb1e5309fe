import AuthenticationDomain
import AuthenticationDomainTesting
import Foundation
import Testing

/// The tokens of a sign-in that failed after the provider had issued them.
@Suite struct RemoteAuthProviderDiscardTests {
  let provider = ScriptedAuthProvider()
  let clock = ManualClock()
  let tokens = SessionTokens.sample(receivedAt: Date(timeIntervalSince1970: 0))

  @Test func `the tokens are revoked before the call returns`() async {
    await provider.discard(tokens, by: clock)
    #expect(provider.messages == [.revoke(tokens)])
  }

  @Test func `a cancelled caller can revoke them`() async {
    let provider = CancellableProvider()
    await Task { [tokens, clock] in
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      await provider.discard(tokens, by: clock)
    }.value
    #expect(provider.log.lines == ["revoked"])
  }

  @Test func `a provider that does not respond is waited for 2 seconds at most`() async {
    provider.hold(.revoke)
    let call = Task { [provider, tokens, clock] in await provider.discard(tokens, by: clock) }
    await provider.waitForArrival(of: .revoke)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(2))
    await call.value
    provider.release(.revoke)
  }
}

/// Sends nothing in a task that is cancelled, as a transport does.
private struct CancellableProvider: RemoteAuthProvider {
  let log = Log()

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome { throw .cancelled }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens { throw .cancelled }

  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    if Task.isCancelled { throw .cancelled }
    log.append("revoked")
  }
}
