#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules of a session as a pure value: events in, effects out. No I/O, no clock, no actor.
///
/// Every sign-in and every sign-out starts a new generation; an answer that belongs to an older one is discarded and
/// its tokens are revoked. Only two things sign out: a store that is certainly empty, and a provider's refusal.
public struct SessionMachine: Sendable {
  private enum Store: Sendable {
    case unread
    case unavailable(AuthenticationError)
    case read
  }

  private var store = Store.unread
  private var freshness = ActiveSession.Freshness.fresh
  private var signOutReason = SignOutReason.absent
  private var challenge: Challenge?
  /// Why the store does not hold ``record``; nil when it does.
  public private(set) var unsaved: AuthenticationError?
  /// A resource refused the current access token: it is not handed out again.
  private var accessTokenIsRejected = false
  private var refreshingGeneration: Int?

  public private(set) var record = SessionRecord()
  /// Counts the sessions that came and went.
  public private(set) var generation = 0
  /// Counts the attempts to sign in; only the latest may become the session.
  public private(set) var attempt = 0

  /// A revocation that could not be delivered for 30 days (in seconds) is given up.
  static let longestQueueTime = 30 * 86_400.0

  public init() {}

  public var state: AuthenticationState {
    switch store {
    case .unread: return .unknown
    case .unavailable(let error): return .unavailable(error)
    case .read: break
    }
    if let session = record.session {
      return .signedIn(ActiveSession(session: session, freshness: freshness, unsaved: unsaved))
    }
    if let challenge { return .challenged(challenge) }
    return .signedOut(signOutReason)
  }

  public var hasReadStore: Bool {
    if case .read = store { true } else { false }
  }

  public var isUnsaved: Bool { unsaved != nil }

  /// Whether the current access token may be handed out, as far as resources have said.
  public var accessTokenIsUsable: Bool {
    record.session != nil && !accessTokenIsRejected && freshness != .expired
  }

  public mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .storeRead(let result, let now): storeRead(result, now)
    case .storeReadAgain(let stored, let now): storeReadAgain(stored, now)
    case .saved(let failure): saved(failure)
    case .signInStarted: signInStarted()
    case .signInAnswered(let attempt, let result, let now): signInAnswered(attempt, result, now)
    case .tokensOrphaned(let tokens, let now): orphan(tokens, now)
    case .renewalRequested(let rejected, let remaining, let wanted): renewalRequested(rejected, remaining, wanted)
    case .refreshAnswered(let generation, let result, let remaining, let now):
      refreshAnswered(generation, result, remaining, now)
    case .signOutRequested(let revoking, let now): signOutRequested(revoking, now)
    case .revocationAnswered(let revocation, let failure): revocationAnswered(revocation, failure)
    }
  }
}

// MARK: - The store

extension SessionMachine {
  private mutating func storeRead(_ result: Result<SessionRecord?, AuthenticationError>, _ now: Date) -> [Effect] {
    guard !hasReadStore else { return [] }
    switch result {
    case .failure(let error):
      store = .unavailable(error)
      return [.publish]
    case .success(let stored):
      store = .read
      let orphaned = record.pendingRevocations
      let kept = stored ?? SessionRecord()
      record = kept
      record.pendingRevocations.removeAll { $0.queuedAt < now.addingTimeInterval(-Self.longestQueueTime) }
      record.pendingRevocations += orphaned
      freshness = Self.freshness(of: record.session, now)
      return (record == kept ? [] : [.save(record)]) + [.publish] + deliverIfPending
    }
  }

  /// What another process has stored in the meantime is newer than what is current here.
  private mutating func storeReadAgain(_ stored: SessionRecord?, _ now: Date) -> [Effect] {
    let stored = stored ?? SessionRecord()
    guard hasReadStore, !isUnsaved, stored != record else { return [] }
    let replaced = record.session
    record = stored
    guard stored.session != replaced else { return [] }
    generation += 1
    accessTokenIsRejected = false
    freshness = Self.freshness(of: stored.session, now)
    signOutReason = .elsewhere
    guard let replaced, let session = stored.session, replaced.user.id != session.user.id else { return [.publish] }
    return [.publish, .settle(.superseded)]
  }

  private mutating func saved(_ failure: AuthenticationError?) -> [Effect] {
    let wasUnsaved = isUnsaved
    unsaved = failure
    if failure != nil { return [.retrySave] }
    return wasUnsaved ? [.publish] : []
  }

  private static func freshness(of session: AuthSession?, _ now: Date) -> ActiveSession.Freshness {
    guard let session, let expiresAt = session.accessToken.expiresAt, expiresAt <= now else { return .fresh }
    return session.tokens.refresh == nil ? .expired : .stale
  }
}

// MARK: - Sign-in

extension SessionMachine {
  private mutating func signInStarted() -> [Effect] {
    attempt += 1
    return []
  }

  private mutating func signInAnswered(
    _ answered: Int, _ result: Result<SignInOutcome, AuthenticationError>, _ now: Date
  ) -> [Effect] {
    switch result {
    case .success(.session(let session)):
      guard answered == attempt else { return orphan(session.tokens, now) }
      return adopt(session, now)
    case .success(.challenge(let asked)):
      guard answered == attempt, record.session == nil else { return [] }
      challenge = asked
      return [.publish]
    case .failure:
      return []
    }
  }

  private mutating func adopt(_ session: AuthSession, _ now: Date) -> [Effect] {
    let replaced = record.session
    store = .read
    generation += 1
    attempt += 1
    record.session = session
    freshness = .fresh
    accessTokenIsRejected = false
    challenge = nil
    if let replaced, replaced.user.id != session.user.id {
      record.pendingRevocations.append(PendingRevocation(tokens: replaced.tokens, queuedAt: now))
    }
    let waiters = replaced.map { $0.user.id == session.user.id ? nil : AuthenticationError.superseded }
    return [.save(record), .publish, .settle(waiters ?? nil)] + deliverIfPending
  }

  /// Tokens that nobody here will use are revoked, not forgotten.
  private mutating func orphan(_ tokens: SessionTokens, _ now: Date) -> [Effect] {
    record.pendingRevocations.append(PendingRevocation(tokens: tokens, queuedAt: now))
    return hasReadStore ? [.save(record), .deliverRevocations] : [.deliverRevocations]
  }

  private var deliverIfPending: [Effect] { record.pendingRevocations.isEmpty ? [] : [.deliverRevocations] }
}

// MARK: - Renewal

extension SessionMachine {
  private mutating func renewalRequested(
    _ rejected: AccessToken?, _ remaining: Duration?, _ wanted: Duration?
  ) -> [Effect] {
    if case .unavailable(let error) = store { return [.settle(error)] }
    guard let session = record.session else { return [.settle(.notSignedIn)] }
    if rejected == session.accessToken { accessTokenIsRejected = true }
    if refreshingGeneration == generation { return [] }
    let isLasting = remaining.map { $0 > wanted ?? session.accessToken.renewalLeeway } ?? true
    if accessTokenIsUsable, isLasting { return [.settle(nil)] }
    guard session.tokens.refresh != nil else {
      if accessTokenIsUsable, remaining.map({ $0 > .zero }) ?? true { return [.settle(nil)] }
      freshness = .expired
      return [.publish, .settle(.sessionExpired)]
    }
    refreshingGeneration = generation
    return (accessTokenIsRejected ? [.publish] : []) + [.refresh(session, generation: generation)]
  }

  private mutating func refreshAnswered(
    _ answered: Int, _ result: Result<SessionTokens, AuthenticationError>, _ remaining: Duration?, _ now: Date
  ) -> [Effect] {
    if refreshingGeneration == answered { refreshingGeneration = nil }
    guard answered == generation, let session = record.session else {
      guard case .success(let tokens) = result else { return [] }
      return orphan(tokens, now)
    }
    switch result {
    case .success(let tokens):
      record.session = session.renewed(with: tokens)
      freshness = .fresh
      accessTokenIsRejected = false
      return [.save(record), .publish, .settle(nil)] + deliverIfPending
    case .failure(let error) where error.code == .sessionRejected:
      generation += 1
      record.session = nil
      signOutReason = .rejected
      return [.save(record), .publish, .settle(error)]
    case .failure(let error):
      let isStillValid = !accessTokenIsRejected && (remaining.map { $0 > .zero } ?? true)
      if isStillValid { return [.publish, .settle(nil)] }
      freshness = .stale
      return [.publish, .settle(error)]
    }
  }
}

// MARK: - Sign-out

extension SessionMachine {
  private mutating func signOutRequested(_ revoking: Bool, _ now: Date) -> [Effect] {
    guard hasReadStore else { return [] }
    attempt += 1
    challenge = nil
    signOutReason = .requested
    guard let session = record.session else { return [.publish] }
    generation += 1
    record.session = nil
    if revoking { record.pendingRevocations.append(PendingRevocation(tokens: session.tokens, queuedAt: now)) }
    return [.save(record), .publish, .settle(.notSignedIn)] + deliverIfPending
  }

  /// Only success, or the provider's word that it will never succeed, takes a revocation out of the queue.
  private mutating func revocationAnswered(
    _ revocation: PendingRevocation, _ failure: AuthenticationError?
  ) -> [Effect] {
    let final: Set<AuthenticationError.Code> = [.sessionRejected, .invalidCredentials, .unsupportedMethod]
    if let failure, !final.contains(failure.code) { return [] }
    guard let index = record.pendingRevocations.firstIndex(of: revocation) else { return [] }
    record.pendingRevocations.remove(at: index)
    return hasReadStore ? [.save(record)] : []
  }
}
