#if Tools
package import Foundation

extension IdentityLedger {
  package var liveFamilies: Int { families.count }

  /// Access tokens that have not expired and refresh tokens that are not spent.
  package func tokensAlive(at now: Date) -> Int {
    accessTokens.values.count { now < $0.expiresAt }
      + refreshTokens.values.count { $0.spentAt == nil && families[$0.family] != nil }
  }

  /// Ends the families of these tokens; unknown tokens are ignored.
  package mutating func signOut(refreshToken: String?, accessToken: String?) {
    if let family = refreshToken.flatMap({ refreshTokens[$0]?.family }) { end(family) }
    if let family = accessToken.flatMap({ accessTokens[$0]?.family }) { end(family) }
  }

  /// Ends every session of the user, and says how many there were.
  package mutating func revokeFamilies(ofUser username: String) -> Int {
    let ended = families.filter { $1.username == username }.keys
    for family in ended { end(family) }
    return ended.count
  }

  package mutating func revokeAllAccessTokens() {
    accessTokens.removeAll()
  }

  mutating func end(_ family: Int) {
    families[family] = nil
    accessTokens = accessTokens.filter { $1.family != family }
  }
}
#endif
