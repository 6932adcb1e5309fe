import AuthenticationDomain
import AuthenticationDomainTesting
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date {
  static let noon = ManualClock().now
}

extension SessionMachine {
  /// A machine that has read a store with this session, or an empty one.
  static func restored(_ session: AuthSession? = nil, at now: Date = .noon) -> Self {
    var machine = SessionMachine()
    _ = machine.handle(.storeRead(.success(session.map { SessionRecord(session: $0) }), at: now))
    return machine
  }

  /// Starts a sign-in and has the provider answer it.
  mutating func signIn(_ session: AuthSession) -> [Effect] {
    _ = handle(.signInStarted)
    return handle(.signInAnswered(attempt: attempt, .success(.session(session)), at: .noon))
  }

  mutating func requestRenewal(rejected: AccessToken? = nil, remaining: Duration? = .zero) -> [Effect] {
    handle(.renewalRequested(rejected: rejected, remaining: remaining, wanted: nil))
  }

  mutating func answerRefresh(
    _ result: Result<SessionTokens, AuthenticationError>, of generation: Int, remaining: Duration? = .zero
  ) -> [Effect] {
    handle(.refreshAnswered(generation: generation, result, remaining: remaining, at: .noon))
  }
}
