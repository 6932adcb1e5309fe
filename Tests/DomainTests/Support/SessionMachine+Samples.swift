import AuthenticationDomain
import AuthenticationDomainTesting
import Foundation

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
    return plainly(.signInCompleted(attempt: attempt, .success(.session(session)), at: .noon))
  }

  mutating func requestRefresh(rejected: AccessToken? = nil, remaining: Duration? = .zero) -> [Effect] {
    plainly(.refreshRequested(rejected: rejected, remaining: remaining, wanted: nil))
  }

  mutating func answerRefresh(
    _ result: Result<SessionTokens, AuthenticationError>, of generation: Int, remaining: Duration? = .zero,
    sent: SentRefresh? = nil
  ) -> [Effect] {
    let sent =
      sent
      ?? SentRefresh(session: record.session ?? .sample(1, receivedAt: .noon), signInID: record.signInID)
    return plainly(
      .refreshCompleted(
        generation: generation, RefreshResponse(of: sent.session, signInID: sent.signInID, result),
        remaining: remaining,
        at: .noon))
  }
}

/// Whose refresh token was sent.
struct SentRefresh {
  let session: AuthSession
  let signInID: RecordID?
}

extension SessionMachine {
  /// The effects of an event as these tests compare them: records without the names of writes and sign-ins, and
  /// without the effects that only monitoring shows.
  mutating func plainly(_ event: Event) -> [Effect] { handle(event).compactMap(\.plain) }
}

extension SessionMachine.Effect {
  var plain: Self? {
    switch self {
    case .save(let record): .save(record.withoutIDs)
    case .report, .backOff: nil
    default: self
    }
  }

  var isSave: Bool {
    if case .save = self { true } else { false }
  }
}
