#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionMachine {
  mutating func renewalRequested(
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
    wantedLifetime = wanted
    return (accessTokenIsRejected ? [.publish] : []) + [.refresh(session, generation: generation)]
  }

  mutating func refreshAnswered(
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
      if !isStillValid { freshness = .stale }
      let isEnough = isStillValid && (remaining.map { $0 > wantedLifetime ?? .zero } ?? true)
      return [.publish, .settle(isEnough ? nil : error)]
    }
  }
}
