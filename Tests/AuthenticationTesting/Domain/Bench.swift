package import AuthenticationDomain
import Foundation

/// One manager with everything around it scripted. Every jittered delay is half of its ceiling, and nothing is
/// refreshed in the background unless a test wants it.
package struct Bench: Sendable {
  package let clock: ManualClock
  package let provider = ScriptedAuthProvider()
  package let store: ScriptedSessionStore
  package let manager: AuthManager
  private let stepper = Stepper()

  package init(
    stored session: AuthSession? = nil, store: ScriptedSessionStore? = nil, lock: (any SessionLock)? = nil,
    clock: ManualClock = ManualClock(), callerTimeout: Duration = .seconds(60), refreshesEarly: Bool = false,
    resources: [ProtectedResource] = []
  ) {
    self.clock = clock
    self.store = store ?? ScriptedSessionStore(session.map { SessionRecord(session: $0) })
    manager = AuthManager(
      provider: provider, store: self.store, lock: lock, clock: clock,
      policy: .bench(callerTimeout: callerTimeout, refreshesEarly: refreshesEarly), resources: resources,
      random: { 0.5 })
  }

  /// Starts a call and runs it until it waits for something.
  package func start<Answer: Sendable>(
    _ call: @escaping @Sendable (AuthManager) async throws(AuthenticationError) -> Answer
  ) -> Task<Result<Answer, AuthenticationError>, Never> {
    stepper.start { [manager] () async throws(AuthenticationError) in try await call(manager) }
  }

  package func startSignIn() -> Task<Result<User, AuthenticationError>, Never> {
    start { manager async throws(AuthenticationError) in try await manager.signIn(with: .sample) }
  }

  package func startRefresh(rejecting rejected: AccessToken? = nil) -> Task<
    Result<AuthSession, AuthenticationError>, Never
  > {
    start { manager async throws(AuthenticationError) in try await manager.validSession(rejecting: rejected) }
  }

  /// Signs in with this session as the provider's result.
  package func signIn(as session: AuthSession) async throws {
    provider.answerSignIn(.success(.session(session)))
    try await manager.signIn(with: .sample)
  }

  /// A session received now, and its tokens, by number.
  package func session(_ number: Int = 1, of user: User = .ada, canRefresh: Bool = true) -> AuthSession {
    .sample(number, of: user, receivedAt: clock.now, canRefresh: canRefresh)
  }

  package func tokens(_ number: Int) -> SessionTokens { .sample(number, receivedAt: clock.now) }

  package var refreshes: Int { provider.refreshes.count }

  /// Tokens that the provider was told to revoke, once everything that is due has been tried.
  package func revokedTokens() async -> [SessionTokens] {
    await manager.deliverRevocations()
    return provider.revocations
  }
}

extension RefreshPolicy {
  package static func bench(callerTimeout: Duration = .seconds(60), refreshesEarly: Bool = false) -> RefreshPolicy {
    // Its middle lies at 20 percent.
    let window = refreshesEarly ? 0.1...0.3 : nil
    guard let policy = try? RefreshPolicy(earlyWindow: window, callerTimeout: callerTimeout) else {
      preconditionFailure("The policy of the bench is out of range.")
    }
    return policy
  }
}

extension Bench {
  /// A bench whose token has just ended, and whose provider holds its result back.
  package static func refreshing(
    answering result: Result<SessionTokens, AuthenticationError> = .success(
      .sample(2, receivedAt: ManualClock().now.addingTimeInterval(3_600))),
    lock: ScriptedSessionLock? = nil
  ) async throws -> Bench {
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(result)
    bench.provider.hold(.refresh)
    return bench
  }
}

extension ScriptedAuthProvider {
  package var refreshes: [AuthSession] {
    messages.compactMap { if case .refresh(let session) = $0 { session } else { nil } }
  }

  /// The refresh tokens that were sent for resources, in order.
  package var resourceRefreshes: [(token: String?, resource: ProtectedResource)] {
    messages.compactMap {
      if case .refreshResource(let session, let resource) = $0 {
        (session.tokens.refresh?.reveal(), resource)
      } else {
        nil
      }
    }
  }

  package var revocations: [SessionTokens] {
    messages.compactMap { if case .revoke(let tokens) = $0 { tokens } else { nil } }
  }
}

extension Credentials where Self == PasswordCredentials {
  package static var sample: Self { .password(userName: "ada", password: Secret("correct horse")) }
}

extension AuthenticationError {
  package static let locked = AuthenticationError(.storageUnavailable, "The store is locked.")
  package static let full = AuthenticationError(.storageUnavailable, "The disk is full.")
  package static let corrupt = AuthenticationError(.storageCorrupt, "The store is corrupt.")
}

extension AuthenticationState {
  /// Signed in with this session, all of it stored.
  package static func using(
    _ session: AuthSession, _ freshness: ActiveSession.Freshness = .fresh, unsaved: AuthenticationError? = nil
  ) -> Self {
    .signedIn(ActiveSession(session: session, freshness: freshness, unsaved: unsaved))
  }
}
