#if Tools && OpenID
import Foundation

extension IssuerState {
  /// RFC 6749 §6. A spent token, once its grace is over, ends the sign-in (RFC 9700 §4.14.2).
  mutating func refresh(_ form: Fields, _ thumbprint: String?, _ now: Date) throws -> JSON {
    do {
      let id = try spend(form, thumbprint, now)
      let kept = options.rotatesRefreshTokens ? nil : form["refresh_token"]
      let scopes = form["scope"]?.split(separator: " ").map(String.init)
      let answer = try tokens(of: id, thumbprint, now, scopes: scopes, keeping: kept, isFirst: false)
      counters.refreshesGranted += 1
      return answer
    } catch {
      counters.refreshesRefused += 1
      throw error
    }
  }

  private mutating func spend(_ form: Fields, _ thumbprint: String?, _ now: Date) throws -> Int {
    guard let text = form["refresh_token"], let token = refreshTokens[text], let signIn = signIns[token.signIn] else {
      throw Refusal.invalidGrant
    }
    if let bound = token.thumbprint, bound != thumbprint { throw Refusal("invalid_dpop_proof") }
    let asked = form["scope"]?.split(separator: " ").map(String.init) ?? []
    guard Set(asked).isSubset(of: signIn.scopes) else { throw Refusal("invalid_scope") }
    guard options.rotatesRefreshTokens else { return token.signIn }
    if let spentAt = token.spentAt {
      guard now.timeIntervalSince(spentAt) < options.reuseGrace / .seconds(1) else {
        counters.reusesDetected += 1
        end(token.signIn)
        throw Refusal.invalidGrant
      }
    } else {
      refreshTokens[text]?.spentAt = now
    }
    return token.signIn
  }
}
#endif
