#if Tools
package import Foundation

extension IdentityLedger {
  /// Refreshes the token's family. A spent token, once its grace is over, ends the family instead (RFC 9700 §4.14.2).
  package mutating func refresh(_ token: String, at now: Date) throws(IdentityRefusal) -> IdentityGrant {
    guard let refresh = refreshTokens[token], families[refresh.family] != nil else { throw .unknownGrant }
    guard options.rotatesRefreshTokens else {
      return issue(family: refresh.family, keeping: token, at: now)
    }
    if let spentAt = refresh.spentAt {
      guard isWithinGrace(spentAt: spentAt, now: now) else {
        end(refresh.family)
        throw .reusedGrant
      }
    } else {
      refreshTokens[token]?.spentAt = now
    }
    return issue(family: refresh.family, at: now)
  }

  mutating func issue(family: Int, keeping kept: String? = nil, at now: Date) -> IdentityGrant {
    let grant = IdentityGrant(
      accessToken: OpaqueToken.make(), idToken: OpaqueToken.make(), refreshToken: kept ?? OpaqueToken.make())
    let expiresAt = now.addingTimeInterval(options.accessTokenLifetime / .seconds(1))
    accessTokens[grant.accessToken] = AccessToken(family: family, expiresAt: expiresAt)
    families[family]?.lastUsedAt = now
    if kept == nil { refreshTokens[grant.refreshToken] = RefreshToken(family: family) }
    return grant
  }

  private func isWithinGrace(spentAt: Date, now: Date) -> Bool {
    options.reuseGrace > .zero && now.timeIntervalSince(spentAt) < options.reuseGrace / .seconds(1)
  }
}
#endif
