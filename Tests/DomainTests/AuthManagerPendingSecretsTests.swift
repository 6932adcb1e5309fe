import AuthenticationDomainTesting
import Synchronization
import Testing

@testable import AuthenticationDomain

/// Secrets besides the session: of begun sign-ins, and in copies of unreadable data.
@Suite struct AuthManagerPendingSecretsTests {
  private let log = Log()

  private func manager(stored session: AuthSession? = nil) -> AuthManager {
    AuthManager(
      provider: Provider(log: log),
      store: Store(upstream: ScriptedSessionStore(SessionRecord(session: session)), log: log),
      clock: ManualClock())
  }

  @Test func `a sign-in that succeeded forgets begun sign-ins and quarantined copies`() async throws {
    try await manager().signIn(with: PasswordCredentials(userName: "ada", password: Secret("correct horse")))
    #expect(log.lines == ["begun sign-ins forgotten", "copies removed"])
  }

  @Test func `one that failed forgets nothing`() async throws {
    _ = try? await manager().signIn(with: PasswordCredentials(userName: "eve", password: Secret("wrong")))
    #expect(log.lines.isEmpty)
  }

  @Test(arguments: [true, false]) func `so does a sign-out, local or not`(isLocal: Bool) async throws {
    let manager = manager(stored: .sample(receivedAt: .noon))
    if isLocal { try await manager.clear() } else { try await manager.signOut() }
    #expect(log.lines == ["begun sign-ins forgotten", "copies removed"])
  }
}

private struct Provider: ResumingAuthProvider {
  let log: Log

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    guard (request.credentials as? PasswordCredentials)?.userName == "ada" else { throw .invalidCredentials }
    return .session(.sample(receivedAt: .noon))
  }
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens { throw .sessionRejected }
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {}
  func forgetBegunSignIns() { log.append("begun sign-ins forgotten") }
}

private struct Store: SessionStore {
  let upstream: ScriptedSessionStore
  let log: Log

  func read() throws(AuthenticationError) -> SessionRecord? { try upstream.read() }
  func save(_ record: SessionRecord) throws(AuthenticationError) { try upstream.save(record) }
  func delete() throws(AuthenticationError) { try upstream.delete() }
  func removeQuarantinedCopies() throws(AuthenticationError) { log.append("copies removed") }
}
