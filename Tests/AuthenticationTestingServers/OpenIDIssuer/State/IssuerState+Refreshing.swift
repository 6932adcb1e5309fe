#if Tools && OpenID
import Foundation

extension IssuerState {
  /// RFC 6749 §6. A spent token, once its grace is over, ends the sign-in (RFC 9700 §4.14.2).
  mutating func refresh(_ form: Fields, _ thumbprint: String?, _ now: Date) throws -> JSON {
    do {
      let token = form["refresh_token"].flatMap { refreshTokens[$0] }
      guard let signIn = token.flatMap({ signIns[$0.signIn] }) else { throw Refusal.invalidGrant }
      let (resource, scopes) = try resource(of: form, in: signIn)
      let id = try spend(form, thumbprint, now)
      let kept = options.rotatesRefreshTokens ? nil : form["refresh_token"]
      let answer = try tokens(of: id, thumbprint, now, scopes: scopes, for: resource, keeping: kept, isFirst: false)
      counters.refreshesGranted += 1
      return answer
    } catch {
      counters.refreshesRefused += 1
      throw error
    }
  }

  /// The resource that a token request names, and the scopes; nil for the issuer's own, and for all scopes.
  func resource(of form: Fields, in signIn: SignIn) throws -> (resource: String?, scopes: [String]?) {
    let scopes = form["scope"]?.split(separator: " ").map(String.init)
    guard !options.resources.isEmpty else { return (nil, form["grant_type"] == "refresh_token" ? scopes : nil) }
    switch options.resourceNaming {
    case .indicator:
      guard let named = form["resource"] else { return (nil, scopes) }
      guard options.resources.contains(named), signIn.resources.contains(named) else { throw Refusal("invalid_target") }
      return (named, scopes)
    case .audience: return (form["audience"].flatMap { options.resources.contains($0) ? $0 : nil }, scopes)
    case .scopes:
      let asked = scopes ?? signIn.scopes
      let names = Set(asked.compactMap { scope in scope.lastIndex(of: "/").map { String(scope[..<$0]) } })
      guard names.count <= 1, names.isSubset(of: options.resources) else { throw Refusal("invalid_scope") }
      return (names.first, scopes)
    }
  }

  private mutating func spend(_ form: Fields, _ thumbprint: String?, _ now: Date) throws -> Int {
    guard let text = form["refresh_token"], let token = refreshTokens[text], let signIn = signIns[token.signIn] else {
      throw Refusal.invalidGrant
    }
    if let bound = token.thumbprint, bound != thumbprint { throw Refusal("invalid_dpop_proof") }
    let asked = form["scope"]?.split(separator: " ").map(String.init) ?? []
    guard Set(asked.filter { !$0.hasSuffix("/.default") }).isSubset(of: signIn.scopes) else {
      throw Refusal("invalid_scope")
    }
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
